import JSON

/// Why an expression was refused.
package struct ExpressionFailure: Error, Equatable, Sendable {
    /// What was found, at least one.
    package var issues: [ExpressionIssue]
}

/// One thing that is wrong with an expression.
package struct ExpressionIssue: Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        /// An empty array where an operator's name belongs.
        case emptyArray
        /// Something else than a name in its place; `found` is its kind.
        case nameNotText(found: String)
        /// A name that no operator has.
        case unknownOperator(String)
        /// An object where an expression belongs.
        case bareObject
        /// An expression of a type that does not do here.
        case type(expected: ValueType, found: ValueType)
        /// Arguments of a function that are too few or too many; both sides list types.
        case signature(expected: String, found: String)
        /// A number of arguments, `expected` in words.
        case argumentCount(expected: String, found: Int)
        case tooFewArguments(least: Int, found: Int)
        /// A number of arguments, for those operators that say it in this way.
        case requiresOneArgument(operation: String, found: Int)
        /// What the whole expression cannot be evaluated to though nothing in it varies.
        case evaluation(EvaluationError.Fault)
        /// A type that cannot be compared so.
        case notComparable(operation: String, type: ValueType)
        /// Two types that cannot be compared with each other.
        case incomparable(ValueType, ValueType)
        /// A type between whose values nothing can be computed.
        case notInterpolatable(ValueType)
        /// What `in` and `index-of` cannot look for.
        case needle(ValueType)
        /// What `slice` cannot cut.
        case sliceInput(ValueType)
        /// What has no length.
        case lengthInput(ValueType)
        /// A name of a variable that is no string.
        case variableNameNotText(found: String)
        /// A variable that no `let` around it binds.
        case unknownVariable(String)
        /// A name of global state that is no string.
        case globalStateName(found: String)
        /// A kind of interpolation that does not exist.
        case unknownInterpolation(String)
        /// A vertical alignment that does not exist.
        case verticalAlign(String)
        /// Inputs of `operation` that do not ascend.
        case stopsNotAscending(operation: String)
        /// Inputs of `operation` that are not numbers.
        case stopsNotNumbers(operation: String)
        /// A word that a property does not have.
        case word(String)
        /// A number under the least that a property may be.
        case below(Double, Double)
        /// A number over the greatest that a property may be.
        case above(Double, Double)
        /// No GeoJSON that `operation` can use.
        case geometry(operation: String)
        /// One of the faults without particulars.
        case plain(Plain)
    }

    /// Faults that need no particulars, with the words of the reference.
    package enum Plain: String, Sendable {
        case oneArgumentAtLeast = "Expected at least one argument."
        case oneArgument = "Expected one argument."
        case twoArguments = "Expected two arguments."
        /// Not two or three.
        case twoOrThreeArguments = "Expected two or three arguments."
        case evenArguments = "Expected an even number of arguments."
        case oddArguments = "Expected an odd number of arguments."
        /// Of `array`.
        case itemType = "The item type argument of \"array\" must be one of string, number, boolean"
        /// Of `array`.
        case arrayLength = "The length argument to \"array\" must be a positive integer literal"
        /// Of `match`.
        case noLabel = "Expected at least one branch label."
        /// Of `match`.
        case labelKind = "Branch labels must be numbers or strings."
        /// Of `match`.
        case labelNotWhole = "Numeric branch labels must be integer values."
        /// Of `match`.
        case labelTooLarge = "Branch labels must be integers no larger than 9007199254740991."
        /// Of `match`.
        case labelTwice = "Branch labels must be unique."
        /// Of `let`.
        case variableName = "Variable names must contain only alphanumeric characters or '_'."
        /// Of `var`.
        case variableArgument = "'var' expression requires exactly one string literal argument."
        case interpolation = "Expected an interpolation type expression."
        case base = "Exponential interpolation requires a numeric base."
        case controlPoints = "Cubic bezier interpolation requires four numeric arguments with values between 0 and 1."
        case collatorOfOthers = "Cannot use collator to compare non-string types."
        /// Of `collator`.
        case collatorOptions = "Collator options argument must be an object."
        /// Of `format`.
        case formatFirst = "First argument must be an image or text section."
        /// Of `format`.
        case formatContent = "Formatted text type must be 'string', 'value', 'image' or 'null'."
        /// Of `image`.
        case noImageName = "No image name provided."
        /// Of `number-format`.
        case numberFormatOptions = "NumberFormat options argument must be an object."
        /// Of `number-format`.
        case currencyAndUnit = "NumberFormat options `currency` and `unit` are mutually exclusive"
        case zoomNested =
            "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
        case zoomTwice =
            "Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."
        case featureNotSupported = "data expressions not supported"
        case zoomNotSupported = "zoom expressions not supported"
        case interpolationNotSupported = "\"interpolate\" expressions cannot be used with this property"
        case stateInFilter = "\"feature-state\" data expressions are not supported with filters."
        /// A filter of the old form that is malformed.
        case legacyFilter = "Malformed filter."
        /// A function of the old form that is malformed.
        case legacyFunction = "Malformed function."
        /// Variables of variables: more work than anyone means.
        case tooCostly = "Expression is too large when its variables are written out."
    }

    package var fault: Fault
    /// Where in the expression, such as `[2][1]`; empty for the whole.
    package var path: String

    /// What is wrong, in the words of the reference.
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
