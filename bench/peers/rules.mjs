// Languages that rules could be in: each takes the rules and how paths and texts are matched, and returns an evaluator
// of a merge request by all of them.
import { Environment } from '@marcbachmann/cel-js'
import jsonLogic from 'json-logic-js'
import { Engine } from 'json-rules-engine'

export const languages = {
  '@marcbachmann/cel-js': {
    rules: 'cel',
    evaluate(rules, { fits, finds }) {
      const environment = new Environment()
        .registerVariable('files', 'list<string>')
        .registerVariable('labels', 'list<string>')
        .registerVariable('author', 'string')
        .registerVariable('title', 'string')
        .registerVariable('draft', 'bool')
        .registerVariable('targetBranch', 'string')
        .registerVariable('pipeline', 'string')
        .registerFunction('fits(string, string): bool', fits)
        .registerFunction('finds(string, string): bool', finds)
      const parsed = rules.map((rule) => environment.parse(rule))
      return (mergeRequest) => parsed.map((rule) => rule(mergeRequest))
    },
  },
  'json-logic-js': {
    rules: 'logic',
    evaluate(rules, { fits, finds }) {
      jsonLogic.add_operation('fits', fits)
      jsonLogic.add_operation('finds', finds)
      return (mergeRequest) => rules.map((rule) => jsonLogic.apply(rule, mergeRequest))
    },
  },
  'json-rules-engine': {
    rules: 'conditions',
    evaluate(rules, { fits, finds }) {
      const engine = new Engine(
        rules.map((conditions, index) => ({ name: String(index), conditions, event: { type: 'holds' } })),
      )
      engine.addOperator('hasOneLike', (texts, glob) => texts.some((text) => fits(text, glob)))
      engine.addOperator('areLike', (texts, globs) => texts.every((text) => globs.some((glob) => fits(text, glob))))
      engine.addOperator('finds', finds)
      return async (mergeRequest) => {
        const { results } = await engine.run(mergeRequest)
        const holding = new Set(results.map(({ name }) => name))
        return rules.map((_, index) => holding.has(String(index)))
      }
    },
  },
}
