enum VerticalPunctuation {
    static let forms: [UInt32: UInt32] = {
        let pairs = """
            !︕ #＃ $＄ %％ &＆ (︵ )︶ *＊ +＋ ,︐ -︲ .・ /／ :︓ ;︔ <︿ =＝ >﹀ ?︖ @＠ [﹇ \\＼ ]﹈ ^＾ _︳ `｀ {︷ |― }︸ ~～ \
            ¢￠ £￡ ¥￥ ¦￤ ¬￢ ¯￣ –︲ —︱ ‘﹃ ’﹄ “﹁ ”﹂ …︙ ⋯︙ ‧・ ₩￦ 、︑ 。︒ 〈︿ 〉﹀ 《︽ 》︾ 「﹁ 」﹂ 『﹃ 』﹄ 【︻ 】︼ \
            〔︹ 〕︺ 〖︗ 〗︘ ！︕ （︵ ）︶ ，︐ －︲ ．・ ：︓ ；︔ ＜︿ ＞﹀ ？︖ ［﹇ ］﹈ ＿︳ ｛︷ ｜― ｝︸ ｟︵ ｠︶ ｡︒ ｢﹁ ｣﹂
            """
        var forms: [UInt32: UInt32] = [:]
        for pair in pairs.split(separator: " ") {
            let scalars = pair.unicodeScalars.map(\.value)
            forms[scalars[0]] = scalars[scalars.count - 1]
        }
        return forms
    }()

    /// Replaces punctuation whose neighbours both stand upright, or are punctuation themselves.
    static func apply(to characters: inout [UInt32]) {
        let before = characters
        func staysUpright(_ index: Int) -> Bool {
            guard before.indices.contains(index) else { return true }
            return !Script.isRotated(before[index]) || forms[before[index]] != nil
        }
        for index in before.indices {
            guard let form = forms[before[index]], staysUpright(index - 1), staysUpright(index + 1) else { continue }
            characters[index] = form
        }
    }
}
