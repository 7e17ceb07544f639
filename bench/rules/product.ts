// What is measured is what is shipped (`npm run build` first): the loader that runs the benches adds work to every function that it loads.
import { existsSync } from 'node:fs'

const built = new URL('../../dist/', import.meta.url)
if (!existsSync(built)) throw new Error('There is nothing to measure: run npm run build first.')
const load = (name: string) => import(new URL(name, built).href)

export const { decide, decideCalls }: typeof import('../../src/rules/decide.ts') = await load('rules/decide.js')
export const { readRules }: typeof import('../../src/rules/document.ts') = await load('rules/document.js')
export const { emptyMemory }: typeof import('../../src/rules/remember.ts') = await load('rules/remember.js')
export const { expressionPattern, globMatcher }: typeof import('../../src/rules/patterns.ts') = await load('rules/patterns.js')
export const { createPatternWork, MOST_STEPS }: typeof import('../../src/rules/pattern-work.ts') = await load('rules/pattern-work.js')
export const { patternTurns }: typeof import('../../src/bot/pattern-turns.ts') = await load('bot/pattern-turns.js')
export const { compiledFile }: typeof import('../../src/rules/compiled.ts') = await load('rules/compiled.js')
export const { createReadRepositoryRules }: typeof import('../../src/bot/read-repository-rules.ts') =
  await load('bot/read-repository-rules.js')
export const { rememberedRules }: typeof import('../../src/bot/remembered-rules.ts') = await load('bot/remembered-rules.js')
export const { createRuleForms }: typeof import('../../src/bot/rule-forms.ts') = await load('bot/rule-forms.js')
