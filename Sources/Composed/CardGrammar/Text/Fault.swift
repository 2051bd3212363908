package import Parameters

/// Why a value is refused.
package typealias Fault = ParameterFault.Reason
