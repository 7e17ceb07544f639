// What is measured is what is shipped (`npm run build` first): the loader that runs the benches adds work to every function that it loads.
import { existsSync } from 'node:fs'

const built = new URL('../../dist/rules/', import.meta.url)
if (!existsSync(built)) throw new Error('There is nothing to measure: run npm run build first.')
const load = (name: string) => import(new URL(name, built).href)

export const { decide, decideCalls }: typeof import('../../src/rules/decide.ts') = await load('decide.js')
export const { readRules }: typeof import('../../src/rules/document.ts') = await load('document.js')
export const { emptyMemory }: typeof import('../../src/rules/remember.ts') = await load('remember.js')
export const { expressionMatcher, globMatcher }: typeof import('../../src/rules/patterns.ts') = await load('patterns.js')
