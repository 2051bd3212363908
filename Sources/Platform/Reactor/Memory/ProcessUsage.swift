import CLinux

/// What this process uses of the machine; numbers that the system does not tell are 0.
package struct ProcessUsage: Equatable, Sendable {
    package let residentByteCount: Int
    package let virtualByteCount: Int
    package let openDescriptorCount: Int
    package let descriptorLimit: Int
    /// Of all threads since the start.
    package let processorMicroseconds: Int

    /// Some microseconds; before Linux 6.2 as many as there are open descriptors.
    package static var own: ProcessUsage {
        let usage = clinux_own_usage()
        return ProcessUsage(
            residentByteCount: max(0, Int(usage.resident_byte_count)),
            virtualByteCount: max(0, Int(usage.virtual_byte_count)),
            openDescriptorCount: max(0, usage.descriptor_count), descriptorLimit: max(0, usage.descriptor_limit),
            processorMicroseconds: max(0, Int(usage.processor_microseconds)))
    }
}
