package import Foundation
import TestPlaces

/// The test data that lies beside the repository, if it does.
package enum SharedData {
    package static let folder = TestPlaces.sharedPlace
    package static let packageRoot = TestPlaces.root
    package static let isPresent = TestPlaces.shared(with: "images") != nil
}
