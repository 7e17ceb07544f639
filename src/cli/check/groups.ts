// `bellhop check --online`: how many people the groups of rules are. Warns of nobody, of everybody, and of unread ones.
import { withAnswer } from '../../bot/evaluation/fetch-facts.ts'
import type { Client } from '../../client/create-client.ts'
import { hasLevel, memberSource, membersIn, unreadGroup } from '../../rules/facts/definition/group-members.ts'
import { sayMembers } from '../../rules/language/operators/operator-shapes.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { Mention } from '../../rules/lint/named-references.ts'
import type { LintFinding } from '../../rules/lint/possible.ts'
import type { SourceAnswer } from '../../rules/types.ts'
import { bareInput } from '../rule-tests/run-tests.ts'

/** Says of each named group how many people its members are, other than Bellhop. Throws ServiceError. */
export async function membersNamed(
  mentions: readonly Mention[],
  { client, project }: { client: Client; project: number },
): Promise<Record<'information' | 'warnings', LintFinding[]>> {
  const found = { information: [] as LintFinding[], warnings: [] as LintFinding[] }
  const named = mentions.flatMap(({ members, ...mention }) => (members === undefined ? [] : [{ ...mention, members }]))
  if (named.length === 0) return found
  const now = new Date().toISOString()
  const bot = (await client.users.current({})).body.id
  const peopleIn = (read: { body: unknown; complete: boolean }, access?: string) => {
    const { members, unread } = membersIn(read, now)
    const counted = [...members.values()].filter((each) => each.id !== bot && hasLevel(each, { access }))
    return { ids: counted.map(({ id }) => id), unread }
  }
  const all = client.pages(client.projects.members.listAll, { id: project, per_page: 100 }, { maxPages: 20 })
  const { items, complete } = await all.collect()
  const approvers = peopleIn({ body: items, complete }, 'developer')
  let input = bareInput({ project, iid: 0 })
  for (const { path, members, consents } of named) {
    const source = `${memberSource(members).name}@${members.group}`
    if (!Object.hasOwn(input.answers, source)) input = await withAnswer(client, input, source)
    const read = input.answers[source] as SourceAnswer
    const warn = (message: string) => found.warnings.push({ path, at: 'value', message })
    if (!read.ok) {
      warn(unreadGroup(members.group, read))
      continue
    }
    const who = sayMembers(members)
    const { ids, unread } = peopleIn(read, members.access)
    const number = `${unread === undefined ? '' : 'at least '}${count(ids.length, 'person', 'people')}`
    found.information.push({ path, at: 'value', message: `who is ${who}, other than Bellhop: ${number}` })
    if (unread !== undefined) warn(`${members.group} ${unread}: whether others are members is unknown`)
    else if (ids.length === 0) warn(`nobody other than Bellhop is ${who}`)
    const isEverybody = approvers.ids.length > 0 && approvers.ids.every((id) => ids.includes(id))
    if (consents === true && approvers.unread === undefined && isEverybody)
      warn(`everybody who may approve in the project is ${who}`)
  }
  return found
}
