// The same rules in the languages of other packages, beside the same closures.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { peersFolder } from '../peers.ts'
import { type Language, matching, type Plain, rulesIn } from './rule-set.ts'

/** What evaluates a merge request by all rules: whether each holds. */
type Evaluate = (mergeRequest: Plain) => boolean[] | Promise<boolean[]>
type Languages = Record<
  string,
  { rules: Language; evaluate: (rules: unknown[], by: ReturnType<typeof matching>) => Evaluate }
>

/** One for each language of bench/peers/rules.mjs, which must be installed (peers.ts). */
export async function evaluators(count: number): Promise<[name: string, evaluate: Evaluate][]> {
  const { languages } = (await import(pathToFileURL(join(peersFolder, 'rules.mjs')).href)) as { languages: Languages }
  return Object.entries(languages).map(([name, { rules, evaluate }]) => [
    name,
    evaluate(rulesIn(rules, count), matching()),
  ])
}
