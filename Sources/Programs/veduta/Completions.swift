import ArgumentParser

/// `veduta completions`: what a shell needs to complete commands, options and the words that these take.
struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print completions for a shell.",
        discussion: """
            bash: veduta completions bash > ~/.local/share/bash-completion/completions/veduta
            zsh: veduta completions zsh > _veduta, in a folder of $fpath
            fish: veduta completions fish > ~/.config/fish/completions/veduta.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        fileprivate var completions: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "The shell.") var shell: Shell

    func run() { print(Veduta.completionScript(for: shell.completions)) }
}
