/// What not every operator gives to everybody.
enum Restricted: Int, CaseIterable, Sendable { case listing, originals, metadata, explain }
