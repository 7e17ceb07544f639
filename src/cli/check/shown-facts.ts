// Finds facts in rules that this installation does not show, by what it answers about a merge request.
import { withAnswer } from '../../bot/evaluation/fetch-facts.ts'
import type { Client } from '../../client/create-client.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { createView } from '../../rules/facts/reading/fact-view.ts'
import type { LintFinding } from '../../rules/lint/possible.ts'
import type { TierFact } from '../../rules/lint/probable-mistakes.ts'
import type { DecideInput, FactValue } from '../../rules/types.ts'
import { bareInput } from '../explain/bare-input.ts'

const UNSEEN = 'cannot be checked: it needs Premium, and the project has no merge request whose approvals would tell'

/** The newest merge request as input for the facts; undefined if the project has none. */
async function newestOf(client: Client, project: number): Promise<DecideInput | undefined> {
  const [newest] = (await client.mergeRequests.list({ id: project, scope: 'all', per_page: 1 })).body
  return newest?.iid === undefined ? undefined : bareInput({ project, iid: newest.iid })
}

/** What the service shows of each fact. */
async function valuesOf(client: Client, given: DecideInput, names: ReadonlySet<string>) {
  let input = given
  const sources = new Set([...names].flatMap((name) => factNamed(name)?.from ?? []))
  for (const source of sources) input = await withAnswer(client, input, source)
  const view = createView(input)
  return new Map([...names].map((name): [string, FactValue] => [name, view.fact(name)]))
}

/** A finding for each place that names a fact which the service does not show. Throws ServiceError. */
export async function factsNotShown(
  places: readonly TierFact[],
  { client, project }: { client: Client; project: number },
): Promise<LintFinding[]> {
  if (places.length === 0) return []
  const newest = await newestOf(client, project)
  if (newest === undefined) return places.map(({ fact, ...place }) => ({ ...place, message: `${fact} ${UNSEEN}` }))
  const values = await valuesOf(client, newest, new Set(places.map(({ fact }) => fact)))
  return places.flatMap(({ fact, ...place }) => {
    const value = values.get(fact)
    return value?.is === 'absent' ? [{ ...place, message: `${fact} is never known: ${value.reason}` }] : []
  })
}
