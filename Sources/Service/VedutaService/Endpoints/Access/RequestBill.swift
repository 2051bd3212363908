import ClientBudgets
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

    /// nil for clients with the token, who may anything.
    func bill(_ admission: AdmittedRequest, _ proxies: TrustedProxies) -> WorkBill? {
        if admission.hasToken { return nil }
        if owner == .key, let id = admission.keyID { return WorkBill(budgets, .key(id)) }
        return WorkBill(budgets, ClientNetwork(of: admission.request, proxies).map { .network($0) } ?? .local)
    }
}
