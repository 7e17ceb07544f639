// Finds the public groups of proposed rules that have no member: what a rule needs of them waits for nobody.
import type { Client } from '../../client/create-client.ts'
import { leaves } from '../../rules/explain/explain.ts'
import {
  groupAnswer,
  hasLevel,
  isOwnGroup,
  memberSource,
  membersIn,
} from '../../rules/facts/definition/group-members.ts'
import { type GroupMembers, sayMembers } from '../../rules/language/operators/operator-shapes.ts'
import { mentionsIn } from '../../rules/lint/named-references.ts'
import type { DecideInput, RuleFileInForce, SourceAnswers } from '../../rules/types.ts'
import { withAnswer } from '../evaluation/fetch-facts.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import type { Comparison } from './note-text.ts'

/** More groups are not read. */
const mostGroups = 10

/** In words, with how many of the compared merge requests would wait for it. Throws what the client throws. */
export async function emptyGroups(
  client: Client,
  given: Pick<DecideInput, 'mergeRequest' | 'now'>,
  { text, rules, projectPath }: { text: string; rules: RuleFileInForce['rules']; projectPath: string | undefined },
  compared: readonly Comparison[],
): Promise<{ who: string; waiting: number }[]> {
  const all = mentionsIn(text, rules).flatMap(({ members }) => members ?? [])
  // Rules of the repository use no other groups.
  const groups = all.filter(({ group }) => isOwnGroup(group, projectPath))
  const found: { who: string; waiting: number }[] = []
  for (const group of groups.slice(0, mostGroups))
    if (await isEmpty(client, given, group)) {
      const who = sayMembers(group)
      found.push({ who, waiting: compared.filter((each) => waitsFor(each, group)).length })
    }
  return found
}

async function isEmpty(
  client: Client,
  { mergeRequest, now }: Pick<DecideInput, 'mergeRequest' | 'now'>,
  members: GroupMembers,
): Promise<boolean> {
  const source = `${memberSource(members).name}@${members.group}`
  // Only of public groups may a note tell who is in them.
  const input = { mergeRequest, answers: {}, publicOnly: true as const }
  const shown = await withAnswer(client, input, groupAnswer(members.group))
  const answers: SourceAnswers = (await withAnswer(client, shown, source)).answers
  const read = answers[source]
  if (read?.ok !== true) return false
  const { members: listed, unread } = membersIn(read, now)
  return unread === undefined && ![...listed.values()].some((each) => hasLevel(each, members))
}

const waitsFor = ({ after }: Comparison, group: GroupMembers) =>
  after.rules.some(
    ({ file, verdict, leadsTo, conditions }) =>
      file === repositoryRulePath &&
      verdict !== 'true' &&
      leadsTo !== undefined &&
      leaves(conditions).some((each) => each.verdict !== 'true' && each.expected.split(' ').includes(group.group)),
  )
