// `bellhop check --online`: warns of names unknown to the service or the operator, and of facts it does not show.

import { withAnswer } from '../../bot/evaluation/fetch-facts.ts'
import type { Client } from '../../client/create-client.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { createView } from '../../rules/facts/reading/fact-view.ts'
import { policyFor } from '../../rules/language/policy.ts'
import { mentionsIn } from '../../rules/lint/named-references.ts'
import { type TierFact, tierFactsIn } from '../../rules/lint/tier-facts.ts'
import type { LintFinding } from '../../rules/lint/unreachable.ts'
import { placed } from '../../rules/lint/warnings.ts'
import type { DecideInput, FactValue } from '../../rules/types.ts'
import { chatsHere } from '../chats/chats-file.ts'
import { bareInput } from '../rule-tests/delivery-event.ts'
import { connect, orUserError, projectNamed } from '../service/connect.ts'
import type { ConnectionFlags } from '../service/service-options.ts'
import { UsageError } from '../user-error.ts'
import type { CheckedFile } from './checked-file.ts'
import { unknownNames } from './known-names.ts'

interface OnlineFlags extends ConnectionFlags {
  project?: string
}

/** Adds the warnings. Throws UserError without a project, or if the service fails. */
export async function askService(files: readonly CheckedFile[], flags: OnlineFlags): Promise<CheckedFile[]> {
  const { project: named } = flags
  if (named === undefined) throw new UsageError('--online needs --project, whose labels and milestones are checked.')
  const client = connect(flags)
  return orUserError(async () => {
    const { project, path } = await projectNamed(client, named)
    const chats = await chatsFor(path)
    const asked: CheckedFile[] = []
    for (const each of files) {
      const lookup = { client, project, chats }
      const findings =
        each.rules === undefined
          ? []
          : [
              ...(await unknownNames(mentionsIn(each.text, each.rules), lookup)),
              ...(await factsNotShown(tierFactsIn(each.text), lookup)),
            ]
      asked.push({ ...each, warnings: [...each.warnings, ...placed(each.text, each.file, findings)] })
    }
    return asked
  })
}

/** The chats that the project may use; undefined if this machine does not know them. */
async function chatsFor(path = ''): Promise<string[] | undefined> {
  return policyFor(path, [], { mode: 'act', newRuleLimit: 0, chats: await chatsHere(process.env) }).chats
}

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
async function factsNotShown(
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
