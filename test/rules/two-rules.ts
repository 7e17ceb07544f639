// Two rules of one file that both match, each with actions of its own.
import { decided, file, input, rule, rules, sent } from './world.ts'

export const twoRules = (first: string, second: string) =>
  file(rules(rule('{ state: opened }', first, 'one'), rule('{ author: alice }', second, 'two')))

/** The result of each rule's first action, and the endpoints that are called. */
export function resultsOfTwo(first: string, second: string) {
  const decision = decided(input([twoRules(first, second)]))
  return {
    results: decision.rules.map((each) => each.actions[0]?.result),
    sent: sent(decision).map(([endpoint]) => endpoint),
  }
}
