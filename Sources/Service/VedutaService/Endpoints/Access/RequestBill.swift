import ClientBudgets
import HTTPServer
import Reactor
import ServiceConfiguration

/// The budgets of clients, and whose a request is charged to.
struct RequestBudgets: Sendable {
    let budgets: ClientBudgets
    let owner: BudgetOwner

    /// nil without a budget.
    init?(_ configuration: Configuration, clock: Clock) {
        guard
            let rate = BudgetRate(refill: Double(configuration.budget) / 60, depth: Double(configuration.budgetDepth))
        else { return nil }
        budgets = ClientBudgets(rate, clock: clock)
        owner = configuration.budgetOwner
    }

    /// nil for clients with the token, who may anything; without rules of access, nobody has looked for it yet.
    func bill(_ admission: AdmittedRequest, _ policy: AnswerPolicy) -> WorkBill? {
        if admission.hasToken || policy.writes.admits(admission.request.head) { return nil }
        if owner == .key, let id = admission.keyID { return WorkBill(budgets, .key(id)) }
        let network = ClientNetwork(of: admission.request, policy.addresses.trustedProxies)
        return WorkBill(budgets, network.map { .network($0) } ?? .local)
    }
}
