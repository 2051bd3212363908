import Bytes
import Glibc

/// A WMTS 1.0.0 service (OGC 07-057r7): each style in tiles of 256 and of 512 pixels, on the same squares.
package struct WMTSCapabilities: Sendable {
    package struct Layer: Sendable {
        package var name: String
        package var title: String
        /// Tiles have 512 pixels instead of 256.
        package var isSharp: Bool
        /// By the last part of the media type; with `{TileMatrix}`, `{TileCol}` and `{TileRow}`.
        package var templates: [(format: String, template: String)]
        package var bounds: TileSetDescription.Bounds
        package init(
            name: String, title: String, isSharp: Bool, templates: [(format: String, template: String)],
            bounds: TileSetDescription.Bounds
        ) {
            (self.name, self.title, self.isSharp, self.templates) = (name, title, isSharp, templates)
            self.bounds = bounds
        }
    }

    /// The set of squares with tiles of 256 pixels; OGC's own.
    package static let plainSet = "GoogleMapsCompatible"
    package static let sharpSet = "GoogleMapsCompatible2x"

    private let address: String
    private let layers: [Layer]

    package init(address: String, layers: [Layer]) { (self.address, self.layers) = (address, layers) }

    package var xml: String {
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" \
            xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.opengis.net/wmts/1.0 \
            http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0">
            <ows:ServiceIdentification><ows:Title>Veduta</ows:Title>\
            <ows:ServiceType>OGC WMTS</ows:ServiceType><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>\
            </ows:ServiceIdentification>
            <ows:OperationsMetadata>\(operation("GetCapabilities"))\(operation("GetTile"))</ows:OperationsMetadata>
            <Contents>

            """
        let sets = Self.matrixSet(Self.plainSet, side: 256) + Self.matrixSet(Self.sharpSet, side: 512)
        return head + layers.map(Self.element).joined() + sets + "</Contents>\n"
            + "<ServiceMetadataURL xlink:href=\"\(Markup.escaped(address))?service=WMTS&amp;request=GetCapabilities\"/>\n"
            + "</Capabilities>\n"
    }

    private func operation(_ name: String) -> String {
        """
        <ows:Operation name="\(name)"><ows:DCP><ows:HTTP><ows:Get xlink:href="\(Markup.escaped(address))?">\
        <ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues>\
        </ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>
        """
    }

    private static func element(_ layer: Layer) -> String {
        let bounds = layer.bounds
        let formats = layer.templates.map { "<Format>image/\($0.format)</Format>" }.joined()
        let resources = layer.templates.map {
            "<ResourceURL format=\"image/\($0.format)\" resourceType=\"tile\" template=\"\(Markup.escaped($0.template))\"/>"
        }
        return """
            <Layer><ows:Title>\(Markup.escaped(layer.title))</ows:Title>\
            <ows:WGS84BoundingBox><ows:LowerCorner>\(bounds.west) \(bounds.south)</ows:LowerCorner>\
            <ows:UpperCorner>\(bounds.east) \(bounds.north)</ows:UpperCorner></ows:WGS84BoundingBox>\
            <ows:Identifier>\(Markup.escaped(layer.name))</ows:Identifier>\
            <Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>\(formats)\
            <TileMatrixSetLink><TileMatrixSet>\(layer.isSharp ? sharpSet : plainSet)</TileMatrixSet></TileMatrixSetLink>\
            \(resources.joined())</Layer>

            """
    }

    private static func matrixSet(_ name: String, side: Int) -> String {
        // A pixel of 0.28 mm at level 0, where the equator has 256 of them; sharper tiles show the same ground.
        let denominator = 559_082_264.028_717_8 * 256 / Double(side)
        let matrices = (0...MapTile.zoomLimit).map { level in
            """
            <TileMatrix><ows:Identifier>\(level)</ows:Identifier>\
            <ScaleDenominator>\(scalbn(denominator, Int32(-level)))</ScaleDenominator>\
            <TopLeftCorner>-20037508.3427892 20037508.3427892</TopLeftCorner>\
            <TileWidth>\(side)</TileWidth><TileHeight>\(side)</TileHeight>\
            <MatrixWidth>\(1 << level)</MatrixWidth><MatrixHeight>\(1 << level)</MatrixHeight></TileMatrix>

            """
        }
        let known =
            side == 256
            ? "<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>" : ""
        return """
            <TileMatrixSet><ows:Identifier>\(name)</ows:Identifier>\
            <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>\(known)
            \(matrices.joined())</TileMatrixSet>

            """
    }
}

/// A tile by WMTS's parameters, whose names have no case (OGC 07-057r7 §8.2).
package struct WMTSRequest: Equatable, Sendable {
    package enum Operation: Equatable, Sendable {
        case capabilities
        case tile(TileAddress)
    }

    package let operation: Operation

    /// Extensions of tiles as media types; `image/jpg` is what some clients write.
    private static let formats: Set = ["image/png", "image/jpeg", "image/jpg", "image/webp"]

    /// Without `request` it asks for the capabilities.
    package init(_ items: [(name: String, value: String)]) throws(TilePathFault) {
        var values: [String: String] = [:]
        for item in items { values[item.name.lowercased()] = item.value }
        switch values["request"]?.lowercased() {
        case nil, "getcapabilities":
            operation = .capabilities
            return
        case "gettile": break
        default: throw .malformed(allowed: "request=GetCapabilities or request=GetTile")
        }
        guard let layer = values["layer"], let level = values["tilematrix"], let row = values["tilerow"],
            let column = values["tilecol"]
        else { throw .malformed(allowed: "layer, tilematrixset, tilematrix, tilerow and tilecol with GetTile") }
        let isSharp = layer.hasSuffix("@2x")
        let set = isSharp ? WMTSCapabilities.sharpSet : WMTSCapabilities.plainSet
        guard (values["tilematrixset"] ?? set) == set else { throw .malformed(allowed: "tilematrixset=\(set)") }
        let format = values["format"] ?? "image/png"
        guard Self.formats.contains(format) else {
            throw .malformed(allowed: "format=image/png, image/jpeg or image/webp")
        }
        let name = isSharp ? String(layer.dropLast(3)) : layer
        let path = "\(name)/\(level)/\(column)/\(row)\(isSharp ? "@2x" : "").\(format.dropFirst(6))"
        let pathFault = TilePathFault.malformed(
            allowed: "the name of a layer, and whole numbers in tilematrix, tilerow and tilecol")
        do throws(TilePathFault) {
            guard case .tile(let address) = try TilePath(path, mayScale: true) else { throw pathFault }
            operation = .tile(address)
        } catch {
            throw error == .noSuchTile ? error : pathFault
        }
    }
}
