// Rules that evaluate all of their conditions.
import { expect, it } from 'vitest'
import { thorough } from '../../../src/rules/backtest/thorough.ts'
import { decided, file, input, rule, rules } from '../world.ts'

it('a rule that cannot match still shows whether its other conditions are known', () => {
  const files = [file(rules(rule('{ state: closed, draft: false }', '{ subscribe: true }')))]
  const [trace] = decided(input(thorough(files))).rules
  expect(trace?.verdict).toBe('false')
  expect(JSON.stringify(trace?.conditions)).toContain('"draft"')
})
