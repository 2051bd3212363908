// Made by scripts/generate/style-table/run from the style specification's reference; do not edit.

/// A paint, layout or light property of the style specification, in the order of ``rows``.
package enum LayerProperty: Int, CaseIterable, Sendable {
    // background
    case backgroundColor, backgroundPattern, backgroundOpacity
    // fill
    case fillSortKey, fillAntialias, fillOpacity, fillLayerOpacity, fillColor, fillOutlineColor, fillTranslate,
        fillTranslateAnchor, fillPattern
    // line
    case lineCap, lineJoin, lineMiterLimit, lineRoundLimit, lineSortKey, lineOpacity, lineLayerOpacity,
        lineColor, lineTranslate, lineTranslateAnchor, lineWidth, lineGapWidth, lineOffset, lineBlur,
        lineDasharray, linePattern, lineGradient
    // symbol
    case symbolPlacement, symbolSpacing, symbolAvoidEdges, symbolSortKey, symbolZOrder, iconAllowOverlap,
        iconOverlap, iconIgnorePlacement, iconOptional, iconRotationAlignment, iconSize, iconTextFit,
        iconTextFitPadding, iconImage, iconRotate, iconPadding, iconKeepUpright, iconOffset, iconAnchor,
        iconPitchAlignment, textPitchAlignment, textRotationAlignment, textField, textFont, textSize,
        textMaxWidth, textLineHeight, textLetterSpacing, textJustify, textRadialOffset, textVariableAnchor,
        textVariableAnchorOffset, textAnchor, textMaxAngle, textWritingMode, textRotate, textPadding,
        textKeepUpright, textTransform, textOffset, textAllowOverlap, textOverlap, textIgnorePlacement,
        textOptional, iconOpacity, iconColor, iconHaloColor, iconHaloWidth, iconHaloBlur, iconTranslate,
        iconTranslateAnchor, textOpacity, textColor, textHaloColor, textHaloWidth, textHaloBlur, textTranslate,
        textTranslateAnchor
    // circle
    case circleSortKey, circleRadius, circleColor, circleBlur, circleOpacity, circleTranslate,
        circleTranslateAnchor, circlePitchScale, circlePitchAlignment, circleStrokeWidth, circleStrokeColor,
        circleStrokeOpacity
    // heatmap
    case heatmapRadius, heatmapWeight, heatmapIntensity, heatmapColor, heatmapOpacity
    // fill-extrusion
    case fillExtrusionRoundedCornerDistance, fillExtrusionOpacity, fillExtrusionColor, fillExtrusionTranslate,
        fillExtrusionTranslateAnchor, fillExtrusionPattern, fillExtrusionHeight, fillExtrusionBase,
        fillExtrusionVerticalGradient
    // raster
    case rasterOpacity, rasterHueRotate, rasterBrightnessMin, rasterBrightnessMax, rasterSaturation,
        rasterContrast, rasterOwnResampling, rasterResampling, rasterFadeDuration
    // hillshade
    case hillshadeIlluminationDirection, hillshadeIlluminationAltitude, hillshadeIlluminationAnchor,
        hillshadeExaggeration, hillshadeShadowColor, hillshadeHighlightColor, hillshadeAccentColor,
        hillshadeMethod, hillshadeOwnResampling
    // color-relief
    case colorReliefOpacity, colorReliefColor, colorReliefOwnResampling
    // light
    case lightAnchor, lightPosition, lightColor, lightIntensity

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
