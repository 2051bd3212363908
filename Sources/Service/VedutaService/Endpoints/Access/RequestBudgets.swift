import ClientBudgets
import HTTPServer
import Reactor
import ServiceConfiguration

/// Which client a request is counted for, and the budgets of clients.
struct RequestBudgets: Sendable {
    /// nil: nobody has one.
    let budgets: ClientBudgets?
    let owner: BudgetOwner

    init(_ configuration: Configuration, clock: Clock) {
        budgets = BudgetRate(refill: Double(configuration.budget) / 60, depth: Double(configuration.budgetDepth))
            .map { ClientBudgets($0, clock: clock) }
        owner = configuration.budgetOwner
    }

    func client(of admission: AdmittedRequest, _ policy: AnswerPolicy) -> BudgetClient {
        if owner == .key, let id = admission.keyID { return .key(id) }
        return ClientNetwork(of: admission.request, policy.addresses.trustedProxies).map { .network($0) } ?? .local
    }

    /// nil for clients with the token, who may anything; without rules of access, nobody has looked for it yet.
    func bill(_ admission: AdmittedRequest, _ policy: AnswerPolicy) -> WorkBill? {
        guard let budgets, !admission.hasToken, !policy.writes.admits(admission.request.head) else { return nil }
        return WorkBill(budgets, client(of: admission, policy))
    }
}
