import Testing

@testable import HTTPMessage

@Suite(.timeLimit(.minutes(5))) struct MultipartPartTests {
    private func part(_ lines: String...) -> Result<MultipartPart, MultipartError> {
        let head = Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
        return Result { () throws(MultipartError) in try MultipartPart(head: head, at: 100) }
    }

    @Test(
        arguments: [
            ("form-data; name=a", "a", nil), ("FORM-DATA;NAME=\"a b\"", "a b", nil),
            (" form-data ; name = x", nil, nil), ("form-data; name=\"\"", "", nil),
            ("form-data; name=\"a;b\"; filename=\"c=d\"", "a;b", "c=d"),
            (#"form-data; name=a; filename="say \"cheese\".jpg""#, "a", #"say "cheese".jpg"#),
            (#"form-data; name=a; filename="C:\photos\cat.jpg""#, "a", #"C:\photos\cat.jpg"#),
            (#"form-data; name=a; filename="a\\b""#, "a", #"a\b"#),
            ("form-data; name=a; filename=\"кот.jpg\"", "a", "кот.jpg"),
            ("form-data; name=a; filename=ascii.jpg; filename*=UTF-8''evil.jpg", "a", "ascii.jpg"),
            ("form-data; filename*=UTF-8''evil.jpg; name=a", "a", nil),
            ("form-data; name=a;", "a", nil), ("form-data;; name=a ; ;size=1", "a", nil),
        ] as [(String, String?, String?)])
    func disposition_isRead(_ value: String, _ name: String?, _ fileName: String?) {
        let result = part("content-disposition: \(value)")
        guard let name else { return #expect(result == .failure(.invalidPartHead(offset: 100))) }
        #expect(result == .success(MultipartPart(name: name, fileName: fileName)))
    }

    @Test(arguments: [
        "form-data; name=\"a", "form-data; name=", "form-data; name", "form-data name=a", "form-data; name=a; name=b",
        "form-data; name=a\"b\"", "form-data; name=\"a\"b", "attachment; name=a", "", "form-data; =a",
        "form-data; name=\"a\\\"", "form-data; name=a; filename=a; FILENAME=b", "form-datax; name=a",
    ])
    func malformedDisposition_isAnError(_ value: String) {
        #expect(part("Content-Disposition: \(value)") == .failure(.invalidPartHead(offset: 100)))
    }

    @Test func nameIsRequired() {
        #expect(part("Content-Disposition: form-data; filename=a") == .failure(.partWithoutName(offset: 100)))
        #expect(part("Content-Type: image/png") == .failure(.partWithoutName(offset: 100)))
        #expect(part() == .failure(.partWithoutName(offset: 100)))
    }

    @Test(arguments: [
        "X: a\nb", "X: a\rb", "X: \0", "X : a", "X", ": a", " folded", "X: \u{7f}",
        "Content-Disposition: form-data; name=b",
    ])
    func brokenLine_isAnErrorAtItsPlace(_ line: String) {
        #expect(
            part("Content-Disposition: form-data; name=a", line)
                == .failure(.invalidPartHead(offset: 100 + "Content-Disposition: form-data; name=a\r\n".utf8.count)))
    }

    @Test func mediaTypeIsToldAndOtherFieldsAreNot() {
        let result = part(
            "X-Any: thing", "Content-Type:\timage/PNG; a=b ", "Content-Disposition: form-data; name=a",
            "Content-Transfer-Encoding: binary")
        #expect(result == .success(MultipartPart(name: "a", mediaType: "image/PNG; a=b")))
    }

    @Test func transferEncoding_isRefused() {
        #expect(
            part("Content-Transfer-Encoding: base64", "Content-Disposition: form-data; name=a")
                == .failure(.encodedPart(offset: 100)))
    }

    // MARK: Boundaries

    @Test(
        arguments: [
            ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data;boundary=\"a b:c\"", "a b:c"),
            (" multipart/form-data ; charset=utf-8; BOUNDARY=----x= ", "----x="),
            ("multipart/form-data; boundary='()+_,-./:=?", "'()+_,-./:=?"),
            ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil),
            ("multipart/form-data; boundary=\"\"", nil),
            ("multipart/form-data; boundary=\"a \"", nil), ("multipart/form-data; boundary=a; boundary=b", nil),
            ("multipart/mixed; boundary=a", nil), ("multipart/form-database; boundary=a", nil), ("", nil),
            ("multipart/form-data; boundary=a!b", nil), ("multipart/form-data; boundary=\"a\\\"b\"", nil),
        ] as [(String, String?)])
    func boundary_isReadFromTheContentType(_ value: String, _ boundary: String?) {
        #expect(MultipartBoundary(contentType: value) == boundary.flatMap { MultipartBoundary(bytes: Array($0.utf8)) })
        #expect((MultipartBoundary(contentType: value) != nil) == (boundary != nil))
    }

    @Test func boundaryLengthAndBytes_areThoseOfTheStandard() {
        for count in 0...72 {
            let isAllowed = MultipartBoundary(bytes: [UInt8](repeating: 0x61, count: count)) != nil
            #expect(isAllowed == (1...70).contains(count))
        }
        let allowed = Set("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=? ".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect((MultipartBoundary(bytes: [byte, 0x61]) != nil) == allowed.contains(byte), "\(byte)")
        }
    }
}
