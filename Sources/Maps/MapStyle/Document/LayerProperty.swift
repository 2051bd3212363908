// Made by scripts/generate/style-table/run from the style specification's reference; do not edit.

/// A paint, layout or light property of the style specification, in the order of ``rows``.
package enum LayerProperty: Int, CaseIterable, Sendable {
    /// `background-color`.
    case backgroundColor
    /// `background-pattern`.
    case backgroundPattern
    /// `background-opacity`.
    case backgroundOpacity
    /// `fill-sort-key`.
    case fillSortKey
    /// `fill-antialias`.
    case fillAntialias
    /// `fill-opacity`.
    case fillOpacity
    /// `fill-layer-opacity`.
    case fillLayerOpacity
    /// `fill-color`.
    case fillColor
    /// `fill-outline-color`.
    case fillOutlineColor
    /// `fill-translate`.
    case fillTranslate
    /// `fill-translate-anchor`.
    case fillTranslateAnchor
    /// `fill-pattern`.
    case fillPattern
    /// `line-cap`.
    case lineCap
    /// `line-join`.
    case lineJoin
    /// `line-miter-limit`.
    case lineMiterLimit
    /// `line-round-limit`.
    case lineRoundLimit
    /// `line-sort-key`.
    case lineSortKey
    /// `line-opacity`.
    case lineOpacity
    /// `line-layer-opacity`.
    case lineLayerOpacity
    /// `line-color`.
    case lineColor
    /// `line-translate`.
    case lineTranslate
    /// `line-translate-anchor`.
    case lineTranslateAnchor
    /// `line-width`.
    case lineWidth
    /// `line-gap-width`.
    case lineGapWidth
    /// `line-offset`.
    case lineOffset
    /// `line-blur`.
    case lineBlur
    /// `line-dasharray`.
    case lineDasharray
    /// `line-pattern`.
    case linePattern
    /// `line-gradient`.
    case lineGradient
    /// `symbol-placement`.
    case symbolPlacement
    /// `symbol-spacing`.
    case symbolSpacing
    /// `symbol-avoid-edges`.
    case symbolAvoidEdges
    /// `symbol-sort-key`.
    case symbolSortKey
    /// `symbol-z-order`.
    case symbolZOrder
    /// `icon-allow-overlap`.
    case iconAllowOverlap
    /// `icon-overlap`.
    case iconOverlap
    /// `icon-ignore-placement`.
    case iconIgnorePlacement
    /// `icon-optional`.
    case iconOptional
    /// `icon-rotation-alignment`.
    case iconRotationAlignment
    /// `icon-size`.
    case iconSize
    /// `icon-text-fit`.
    case iconTextFit
    /// `icon-text-fit-padding`.
    case iconTextFitPadding
    /// `icon-image`.
    case iconImage
    /// `icon-rotate`.
    case iconRotate
    /// `icon-padding`.
    case iconPadding
    /// `icon-keep-upright`.
    case iconKeepUpright
    /// `icon-offset`.
    case iconOffset
    /// `icon-anchor`.
    case iconAnchor
    /// `icon-pitch-alignment`.
    case iconPitchAlignment
    /// `text-pitch-alignment`.
    case textPitchAlignment
    /// `text-rotation-alignment`.
    case textRotationAlignment
    /// `text-field`.
    case textField
    /// `text-font`.
    case textFont
    /// `text-size`.
    case textSize
    /// `text-max-width`.
    case textMaxWidth
    /// `text-line-height`.
    case textLineHeight
    /// `text-letter-spacing`.
    case textLetterSpacing
    /// `text-justify`.
    case textJustify
    /// `text-radial-offset`.
    case textRadialOffset
    /// `text-variable-anchor`.
    case textVariableAnchor
    /// `text-variable-anchor-offset`.
    case textVariableAnchorOffset
    /// `text-anchor`.
    case textAnchor
    /// `text-max-angle`.
    case textMaxAngle
    /// `text-writing-mode`.
    case textWritingMode
    /// `text-rotate`.
    case textRotate
    /// `text-padding`.
    case textPadding
    /// `text-keep-upright`.
    case textKeepUpright
    /// `text-transform`.
    case textTransform
    /// `text-offset`.
    case textOffset
    /// `text-allow-overlap`.
    case textAllowOverlap
    /// `text-overlap`.
    case textOverlap
    /// `text-ignore-placement`.
    case textIgnorePlacement
    /// `text-optional`.
    case textOptional
    /// `icon-opacity`.
    case iconOpacity
    /// `icon-color`.
    case iconColor
    /// `icon-halo-color`.
    case iconHaloColor
    /// `icon-halo-width`.
    case iconHaloWidth
    /// `icon-halo-blur`.
    case iconHaloBlur
    /// `icon-translate`.
    case iconTranslate
    /// `icon-translate-anchor`.
    case iconTranslateAnchor
    /// `text-opacity`.
    case textOpacity
    /// `text-color`.
    case textColor
    /// `text-halo-color`.
    case textHaloColor
    /// `text-halo-width`.
    case textHaloWidth
    /// `text-halo-blur`.
    case textHaloBlur
    /// `text-translate`.
    case textTranslate
    /// `text-translate-anchor`.
    case textTranslateAnchor
    /// `circle-sort-key`.
    case circleSortKey
    /// `circle-radius`.
    case circleRadius
    /// `circle-color`.
    case circleColor
    /// `circle-blur`.
    case circleBlur
    /// `circle-opacity`.
    case circleOpacity
    /// `circle-translate`.
    case circleTranslate
    /// `circle-translate-anchor`.
    case circleTranslateAnchor
    /// `circle-pitch-scale`.
    case circlePitchScale
    /// `circle-pitch-alignment`.
    case circlePitchAlignment
    /// `circle-stroke-width`.
    case circleStrokeWidth
    /// `circle-stroke-color`.
    case circleStrokeColor
    /// `circle-stroke-opacity`.
    case circleStrokeOpacity
    /// `heatmap-radius`.
    case heatmapRadius
    /// `heatmap-weight`.
    case heatmapWeight
    /// `heatmap-intensity`.
    case heatmapIntensity
    /// `heatmap-color`.
    case heatmapColor
    /// `heatmap-opacity`.
    case heatmapOpacity
    /// `fill-extrusion-rounded-corner-distance`.
    case fillExtrusionRoundedCornerDistance
    /// `fill-extrusion-opacity`.
    case fillExtrusionOpacity
    /// `fill-extrusion-color`.
    case fillExtrusionColor
    /// `fill-extrusion-translate`.
    case fillExtrusionTranslate
    /// `fill-extrusion-translate-anchor`.
    case fillExtrusionTranslateAnchor
    /// `fill-extrusion-pattern`.
    case fillExtrusionPattern
    /// `fill-extrusion-height`.
    case fillExtrusionHeight
    /// `fill-extrusion-base`.
    case fillExtrusionBase
    /// `fill-extrusion-vertical-gradient`.
    case fillExtrusionVerticalGradient
    /// `raster-opacity`.
    case rasterOpacity
    /// `raster-hue-rotate`.
    case rasterHueRotate
    /// `raster-brightness-min`.
    case rasterBrightnessMin
    /// `raster-brightness-max`.
    case rasterBrightnessMax
    /// `raster-saturation`.
    case rasterSaturation
    /// `raster-contrast`.
    case rasterContrast
    /// `raster-own-resampling`.
    case rasterOwnResampling
    /// `raster-resampling`.
    case rasterResampling
    /// `raster-fade-duration`.
    case rasterFadeDuration
    /// `hillshade-illumination-direction`.
    case hillshadeIlluminationDirection
    /// `hillshade-illumination-altitude`.
    case hillshadeIlluminationAltitude
    /// `hillshade-illumination-anchor`.
    case hillshadeIlluminationAnchor
    /// `hillshade-exaggeration`.
    case hillshadeExaggeration
    /// `hillshade-shadow-color`.
    case hillshadeShadowColor
    /// `hillshade-highlight-color`.
    case hillshadeHighlightColor
    /// `hillshade-accent-color`.
    case hillshadeAccentColor
    /// `hillshade-method`.
    case hillshadeMethod
    /// `hillshade-own-resampling`.
    case hillshadeOwnResampling
    /// `color-relief-opacity`.
    case colorReliefOpacity
    /// `color-relief-color`.
    case colorReliefColor
    /// `color-relief-own-resampling`.
    case colorReliefOwnResampling
    /// `light-anchor`.
    case lightAnchor
    /// `light-position`.
    case lightPosition
    /// `light-color`.
    case lightColor
    /// `light-intensity`.
    case lightIntensity

    /// Layer, section, name, type, what its expressions may be, least, greatest, words, default.
    static let rows = #"""
        background | paint | background-color | color | zi |  |  |  | "#000000"
        background | paint | background-pattern | resolvedImage | z |  |  |  |
        background | paint | background-opacity | number | zi | 0 | 1 |  | 1
        fill | layout | fill-sort-key | number | zf |  |  |  |
        fill | paint | fill-antialias | boolean | z |  |  |  | true
        fill | paint | fill-opacity | number | zfi | 0 | 1 |  | 1
        fill | paint | fill-layer-opacity | number | zi | 0 | 1 |  | 1
        fill | paint | fill-color | color | zfi |  |  |  | "#000000"
        fill | paint | fill-outline-color | color | zfi |  |  |  |
        fill | paint | fill-translate | array:number:2 | zi |  |  |  | [0,0]
        fill | paint | fill-translate-anchor | enum | z |  |  | map,viewport | "map"
        fill | paint | fill-pattern | resolvedImage | zf |  |  |  |
        line | layout | line-cap | enum | zf |  |  | butt,round,square | "butt"
        line | layout | line-join | enum | zf |  |  | bevel,round,miter | "miter"
        line | layout | line-miter-limit | number | zfi |  |  |  | 2
        line | layout | line-round-limit | number | zfi |  |  |  | 1.05
        line | layout | line-sort-key | number | zf |  |  |  |
        line | paint | line-opacity | number | zfi | 0 | 1 |  | 1
        line | paint | line-layer-opacity | number | zi | 0 | 1 |  | 1
        line | paint | line-color | color | zfi |  |  |  | "#000000"
        line | paint | line-translate | array:number:2 | zi |  |  |  | [0,0]
        line | paint | line-translate-anchor | enum | z |  |  | map,viewport | "map"
        line | paint | line-width | number | zfi | 0 |  |  | 1
        line | paint | line-gap-width | number | zfi | 0 |  |  | 0
        line | paint | line-offset | number | zfi |  |  |  | 0
        line | paint | line-blur | number | zfi | 0 |  |  | 0
        line | paint | line-dasharray | array:number: | zf | 0 |  |  |
        line | paint | line-pattern | resolvedImage | zf |  |  |  |
        line | paint | line-gradient | color | i |  |  |  |
        symbol | layout | symbol-placement | enum | z |  |  | point,line,line-center | "point"
        symbol | layout | symbol-spacing | number | zi | 1 |  |  | 250
        symbol | layout | symbol-avoid-edges | boolean | z |  |  |  | false
        symbol | layout | symbol-sort-key | number | zf |  |  |  |
        symbol | layout | symbol-z-order | enum | z |  |  | auto,viewport-y,source | "auto"
        symbol | layout | icon-allow-overlap | boolean | z |  |  |  | false
        symbol | layout | icon-overlap | enum | z |  |  | never,always,cooperative |
        symbol | layout | icon-ignore-placement | boolean | z |  |  |  | false
        symbol | layout | icon-optional | boolean | z |  |  |  | false
        symbol | layout | icon-rotation-alignment | enum | z |  |  | map,viewport,auto | "auto"
        symbol | layout | icon-size | number | zfi | 0 |  |  | 1
        symbol | layout | icon-text-fit | enum | z |  |  | none,width,height,both | "none"
        symbol | layout | icon-text-fit-padding | array:number:4 | zi |  |  |  | [0,0,0,0]
        symbol | layout | icon-image | resolvedImage | zft |  |  |  |
        symbol | layout | icon-rotate | number | zfi |  |  |  | 0
        symbol | layout | icon-padding | padding | zfi |  |  |  | [2]
        symbol | layout | icon-keep-upright | boolean | z |  |  |  | false
        symbol | layout | icon-offset | array:number:2 | zfi |  |  |  | [0,0]
        symbol | layout | icon-anchor | enum | zf |  |  | center,left,right,top,bottom,top-left,top-right,bottom-left,bottom-right | "center"
        symbol | layout | icon-pitch-alignment | enum | z |  |  | map,viewport,auto | "auto"
        symbol | layout | text-pitch-alignment | enum | z |  |  | map,viewport,auto | "auto"
        symbol | layout | text-rotation-alignment | enum | z |  |  | map,viewport,viewport-glyph,auto | "auto"
        symbol | layout | text-field | formatted | zft |  |  |  | ""
        symbol | layout | text-font | array:string: | zf |  |  |  | ["Open Sans Regular","Arial Unicode MS Regular"]
        symbol | layout | text-size | number | zfi | 0 |  |  | 16
        symbol | layout | text-max-width | number | zfi | 0 |  |  | 10
        symbol | layout | text-line-height | number | zi |  |  |  | 1.2
        symbol | layout | text-letter-spacing | number | zfi |  |  |  | 0
        symbol | layout | text-justify | enum | zf |  |  | auto,left,center,right | "center"
        symbol | layout | text-radial-offset | number | zfi |  |  |  | 0
        symbol | layout | text-variable-anchor | array:enum: | z |  |  | center,left,right,top,bottom,top-left,top-right,bottom-left,bottom-right |
        symbol | layout | text-variable-anchor-offset | variableAnchorOffsetCollection | zfi |  |  |  |
        symbol | layout | text-anchor | enum | zf |  |  | center,left,right,top,bottom,top-left,top-right,bottom-left,bottom-right | "center"
        symbol | layout | text-max-angle | number | zi |  |  |  | 45
        symbol | layout | text-writing-mode | array:enum: | z |  |  | horizontal,vertical |
        symbol | layout | text-rotate | number | zfi |  |  |  | 0
        symbol | layout | text-padding | number | zi | 0 |  |  | 2
        symbol | layout | text-keep-upright | boolean | z |  |  |  | true
        symbol | layout | text-transform | enum | zf |  |  | none,uppercase,lowercase | "none"
        symbol | layout | text-offset | array:number:2 | zfi |  |  |  | [0,0]
        symbol | layout | text-allow-overlap | boolean | z |  |  |  | false
        symbol | layout | text-overlap | enum | z |  |  | never,always,cooperative |
        symbol | layout | text-ignore-placement | boolean | z |  |  |  | false
        symbol | layout | text-optional | boolean | z |  |  |  | false
        symbol | paint | icon-opacity | number | zfi | 0 | 1 |  | 1
        symbol | paint | icon-color | color | zfi |  |  |  | "#000000"
        symbol | paint | icon-halo-color | color | zfi |  |  |  | "rgba(0, 0, 0, 0)"
        symbol | paint | icon-halo-width | number | zfi | 0 |  |  | 0
        symbol | paint | icon-halo-blur | number | zfi | 0 |  |  | 0
        symbol | paint | icon-translate | array:number:2 | zi |  |  |  | [0,0]
        symbol | paint | icon-translate-anchor | enum | z |  |  | map,viewport | "map"
        symbol | paint | text-opacity | number | zfi | 0 | 1 |  | 1
        symbol | paint | text-color | color | zfi |  |  |  | "#000000"
        symbol | paint | text-halo-color | color | zfi |  |  |  | "rgba(0, 0, 0, 0)"
        symbol | paint | text-halo-width | number | zfi | 0 |  |  | 0
        symbol | paint | text-halo-blur | number | zfi | 0 |  |  | 0
        symbol | paint | text-translate | array:number:2 | zi |  |  |  | [0,0]
        symbol | paint | text-translate-anchor | enum | z |  |  | map,viewport | "map"
        circle | layout | circle-sort-key | number | zf |  |  |  |
        circle | paint | circle-radius | number | zfi | 0 |  |  | 5
        circle | paint | circle-color | color | zfi |  |  |  | "#000000"
        circle | paint | circle-blur | number | zfi |  |  |  | 0
        circle | paint | circle-opacity | number | zfi | 0 | 1 |  | 1
        circle | paint | circle-translate | array:number:2 | zi |  |  |  | [0,0]
        circle | paint | circle-translate-anchor | enum | z |  |  | map,viewport | "map"
        circle | paint | circle-pitch-scale | enum | z |  |  | map,viewport | "map"
        circle | paint | circle-pitch-alignment | enum | z |  |  | map,viewport | "viewport"
        circle | paint | circle-stroke-width | number | zfi | 0 |  |  | 0
        circle | paint | circle-stroke-color | color | zfi |  |  |  | "#000000"
        circle | paint | circle-stroke-opacity | number | zfi | 0 | 1 |  | 1
        heatmap | paint | heatmap-radius | number | zfi | 1 |  |  | 30
        heatmap | paint | heatmap-weight | number | zfi | 0 |  |  | 1
        heatmap | paint | heatmap-intensity | number | zi | 0 |  |  | 1
        heatmap | paint | heatmap-color | color | i |  |  |  | ["interpolate",["linear"],["heatmap-density"],0,"rgba(0, 0, 255, 0)",0.1,"royalblue",0.3,"cyan",0.5,"lime",0.7,"yellow",1,"red"]
        heatmap | paint | heatmap-opacity | number | zi | 0 | 1 |  | 1
        fill-extrusion | layout | fill-extrusion-rounded-corner-distance | number |  | 0 |  |  | 0
        fill-extrusion | paint | fill-extrusion-opacity | number | zi | 0 | 1 |  | 1
        fill-extrusion | paint | fill-extrusion-color | color | zfi |  |  |  | "#000000"
        fill-extrusion | paint | fill-extrusion-translate | array:number:2 | zi |  |  |  | [0,0]
        fill-extrusion | paint | fill-extrusion-translate-anchor | enum | z |  |  | map,viewport | "map"
        fill-extrusion | paint | fill-extrusion-pattern | resolvedImage | zf |  |  |  |
        fill-extrusion | paint | fill-extrusion-height | number | zfi | 0 |  |  | 0
        fill-extrusion | paint | fill-extrusion-base | number | zfi | 0 |  |  | 0
        fill-extrusion | paint | fill-extrusion-vertical-gradient | boolean | z |  |  |  | true
        raster | paint | raster-opacity | number | zi | 0 | 1 |  | 1
        raster | paint | raster-hue-rotate | number | zi |  |  |  | 0
        raster | paint | raster-brightness-min | number | zi | 0 | 1 |  | 0
        raster | paint | raster-brightness-max | number | zi | 0 | 1 |  | 1
        raster | paint | raster-saturation | number | zi | -1 | 1 |  | 0
        raster | paint | raster-contrast | number | zi | -1 | 1 |  | 0
        raster | paint | resampling | enum | z |  |  | linear,nearest | "linear"
        raster | paint | raster-resampling | enum | z |  |  | linear,nearest | "linear"
        raster | paint | raster-fade-duration | number | zi | 0 |  |  | 300
        hillshade | paint | hillshade-illumination-direction | numberArray | zi | 0 | 359 |  | 335
        hillshade | paint | hillshade-illumination-altitude | numberArray | zi | 0 | 90 |  | 45
        hillshade | paint | hillshade-illumination-anchor | enum | z |  |  | map,viewport | "viewport"
        hillshade | paint | hillshade-exaggeration | number | zi | 0 | 1 |  | 0.5
        hillshade | paint | hillshade-shadow-color | colorArray | zi |  |  |  | "#000000"
        hillshade | paint | hillshade-highlight-color | colorArray | zi |  |  |  | "#FFFFFF"
        hillshade | paint | hillshade-accent-color | color | zi |  |  |  | "#000000"
        hillshade | paint | hillshade-method | enum | z |  |  | standard,basic,combined,igor,multidirectional | "standard"
        hillshade | paint | resampling | enum | z |  |  | linear,nearest | "linear"
        color-relief | paint | color-relief-opacity | number | zi | 0 | 1 |  | 1
        color-relief | paint | color-relief-color | color | i |  |  |  |
        color-relief | paint | resampling | enum | z |  |  | linear,nearest | "linear"
        light | light | anchor | enum | z |  |  | map,viewport | "viewport"
        light | light | position | array:number:3 | zi |  |  |  | [1.15,210,30]
        light | light | color | color | zi |  |  |  | "#ffffff"
        light | light | intensity | number | zi | 0 | 1 |  | 0.5
        """#
}
