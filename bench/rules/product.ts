// Measures what is shipped (`npm run build` first): the benches' loader adds work to every function that it loads.
import { existsSync } from 'node:fs'

const built = new URL('../../dist/', import.meta.url)
if (!existsSync(built)) throw new Error('There is nothing to measure: run npm run build first.')
const load = (name: string) => import(new URL(name, built).href)

export const { decide, decideCalls }: typeof import('../../src/rules/engine/decide.ts') =
  await load('rules/engine/decide.js')
export const { readRules }: typeof import('../../src/rules/language/documents/rule-document.ts') = await load(
  'rules/language/documents/rule-document.js',
)
export const { emptyMemory }: typeof import('../../src/rules/engine/update-memory.ts') = await load(
  'rules/engine/update-memory.js',
)
export const { expressionPattern, globMatcher }: typeof import('../../src/rules/language/patterns/patterns.ts') =
  await load('rules/language/patterns/patterns.js')
export const { compiledFile }: typeof import('../../src/rules/engine/conditions/evaluate-condition.ts') = await load(
  'rules/engine/conditions/evaluate-condition.js',
)
export const { createRuleCache }: typeof import('../../src/bot/rule-files/read-rule-file.ts') = await load(
  'bot/rule-files/read-rule-file.js',
)
