import JSON

package struct ExpressionFailure: Error, Equatable, Sendable {
    /// At least one.
    package var issues: [ExpressionIssue]
}

package struct ExpressionIssue: Equatable, Sendable {
    /// ``message`` says what each means.
    package enum Fault: Equatable, Sendable {
        case emptyArray
        case nameNotText(found: String)
        case unknownOperator(String)
        case bareObject
        case type(expected: ValueType, found: ValueType)
        /// Too few or too many arguments; both sides list types.
        case signature(expected: String, found: String)
        case argumentCount(expected: String, found: Int)
        case tooFewArguments(least: Int, found: Int)
        case requiresOneArgument(operation: String, found: Int)
        /// A constant expression fails.
        case evaluation(EvaluationError.Fault)
        case notComparable(operation: String, type: ValueType)
        case incomparable(ValueType, ValueType)
        case notInterpolatable(ValueType)
        case needle(ValueType)
        case sliceInput(ValueType)
        case lengthInput(ValueType)
        case variableNameNotText(found: String)
        case unknownVariable(String)
        case globalStateName(found: String)
        case unknownInterpolation(String)
        case verticalAlign(String)
        case stopsNotAscending(operation: String)
        case stopsNotNumbers(operation: String)
        case word(String)
        case below(Double, Double)
        case above(Double, Double)
        case geometry(operation: String)
        case plain(Plain)
    }

    /// Faults without parameters, in the words of the reference.
    package enum Plain: String, Sendable {
        case oneArgumentAtLeast = "Expected at least one argument."
        case oneArgument = "Expected one argument."
        case twoArguments = "Expected two arguments."
        case twoOrThreeArguments = "Expected two or three arguments."
        case evenArguments = "Expected an even number of arguments."
        case oddArguments = "Expected an odd number of arguments."
        case itemType = "The item type argument of \"array\" must be one of string, number, boolean"
        case arrayLength = "The length argument to \"array\" must be a positive integer literal"
        case noLabel = "Expected at least one branch label."
        case labelKind = "Branch labels must be numbers or strings."
        case labelNotWhole = "Numeric branch labels must be integer values."
        case labelTooLarge = "Branch labels must be integers no larger than 9007199254740991."
        case labelTwice = "Branch labels must be unique."
        case variableName = "Variable names must contain only alphanumeric characters or '_'."
        case variableArgument = "'var' expression requires exactly one string literal argument."
        case interpolation = "Expected an interpolation type expression."
        case base = "Exponential interpolation requires a numeric base."
        case controlPoints = "Cubic bezier interpolation requires four numeric arguments with values between 0 and 1."
        case collatorOfOthers = "Cannot use collator to compare non-string types."
        case collatorOptions = "Collator options argument must be an object."
        case formatFirst = "First argument must be an image or text section."
        case formatContent = "Formatted text type must be 'string', 'value', 'image' or 'null'."
        case noImageName = "No image name provided."
        case numberFormatOptions = "NumberFormat options argument must be an object."
        case currencyAndUnit = "NumberFormat options `currency` and `unit` are mutually exclusive"
        case zoomNested =
            "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
        case zoomTwice = "Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."
        case featureNotSupported = "data expressions not supported"
        case zoomNotSupported = "zoom expressions not supported"
        case interpolationNotSupported = "\"interpolate\" expressions cannot be used with this property"
        case stateInFilter = "\"feature-state\" data expressions are not supported with filters."
        case legacyFilter = "Malformed filter."
        case legacyFunction = "Malformed function."
        /// Variables of variables can multiply without bound.
        case tooCostly = "Expression is too large when its variables are written out."
    }

    package var fault: Fault
    /// Where in the expression, such as `[2][1]`; empty for the whole.
    package var path: String

    /// In the words of the reference.
    package var message: String {
        switch fault {
        case .emptyArray:
            "Expected an array with at least one element. If you wanted a literal array, use [\"literal\", []]."
        case .nameNotText(let found):
            "Expression name must be a string, but found \(found) instead. "
                + "If you wanted a literal array, use [\"literal\", [...]]."
        case .unknownOperator(let name):
            "Unknown expression \"\(name)\". If you wanted a literal array, use [\"literal\", [...]]."
        case .bareObject: "Bare objects invalid. Use [\"literal\", {...}] instead."
        case .type(let expected, let found): "Expected \(expected.name) but found \(found.name) instead."
        case .signature(let expected, let found):
            "Expected arguments of type \(expected), but found \(found) instead."
        case .argumentCount(let expected, let found): "Expected \(expected), but found \(found) instead."
        case .tooFewArguments(let least, let found):
            "Expected at least \(least) arguments, but found only \(found)."
        case .requiresOneArgument(let operation, let found):
            "'\(operation)' expression requires exactly one argument, but found \(found) instead."
        case .evaluation(let fault): EvaluationError(fault: fault, path: path).message
        case .notComparable(let operation, let type):
            "\"\(operation)\" comparisons are not supported for type '\(type.name)'."
        case .incomparable(let left, let right): "Cannot compare types '\(left.name)' and '\(right.name)'."
        case .notInterpolatable(let type): "Type \(type.name) is not interpolatable."
        case .needle(let type):
            "Expected first argument to be of type boolean, string, number or null, but found \(type.name) instead"
        case .sliceInput(let type):
            "Expected first argument to be of type array or string, but found \(type.name) instead"
        case .lengthInput(let type): "Expected argument of type string or array, but found \(type.name) instead."
        case .variableNameNotText(let found): "Expected string, but found \(found) instead."
        case .unknownVariable(let name):
            "Unknown variable \"\(name)\". "
                + "Make sure \"\(name)\" has been bound in an enclosing \"let\" expression before using it."
        case .globalStateName(let found): "Global state property must be string, but found \(found) instead."
        case .unknownInterpolation(let name): "Unknown interpolation type \(name)"
        case .verticalAlign(let found): Self.verticalAlignMessage(found)
        case .stopsNotAscending(let operation):
            "Input/output pairs for \"\(operation)\" expressions must be arranged with input values in strictly ascending order."
        case .stopsNotNumbers(let operation):
            "Input/output pairs for \"\(operation)\" expressions must be defined using literal numeric values "
                + "(not computed expressions) for the input values."
        case .geometry(let operation):
            "'\(operation)' expression requires valid geojson object that contains polygon geometry type."
        case .word(let word): "'\(word)' is not one of the values of this property"
        case .below(let least, let found): "\(found.scriptText) is less than the minimum value \(least.scriptText)"
        case .above(let greatest, let found):
            "\(found.scriptText) is greater than the maximum value \(greatest.scriptText)"
        case .plain(let plain): plain.rawValue
        }
    }

    static func verticalAlignMessage(_ found: String) -> String {
        "'vertical-align' must be one of: 'bottom', 'center', 'top' but found '\(found)' instead."
    }
}
