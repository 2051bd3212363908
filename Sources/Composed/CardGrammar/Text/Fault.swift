import Parameters

/// Why a value is refused.
typealias Fault = ParameterFault.Reason
