/// A file that a setting names and that cannot be used; safe to show.
package struct SettingFileError: Error, Equatable {
    package let path: String
    /// What is wrong with it, in words for the operator.
    package let cause: String
}
