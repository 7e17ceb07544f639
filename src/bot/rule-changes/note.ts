// Writes a note on a merge request that changes the rules: what they would change for open merge requests.
import type { Client } from '../../client/create-client.ts'
import type { JobHandler, RunningJob } from '../../queue/types.ts'
import { findBotNote, withMark } from '../../rules/actions/definition/action-calls.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { leaves } from '../../rules/explain/explain.ts'
import {
  groupAnswer,
  hasLevel,
  isOwnGroup,
  memberSource,
  membersIn,
} from '../../rules/facts/definition/group-members.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import { type GroupMembers, sayMembers } from '../../rules/language/operators/operator-shapes.ts'
import { cut } from '../../rules/language/values/wording.ts'
import { mentionsIn } from '../../rules/lint/named-references.ts'
import type { DecideInput, MergeRequestRef, RuleFileInForce, SourceAnswers } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { createAnswerCache } from '../evaluation/answers.ts'
import { touchesRules } from '../evaluation/changed-rules.ts'
import { pipelinesMark } from '../evaluation/decide-input.ts'
import { decideWithFacts, type InitialInput, withAnswer } from '../evaluation/fetch-facts.ts'
import { isHeldBack, pausedProjectsMark } from '../evaluation/paused-projects.ts'
import type { MergeRequestJob } from '../queues.ts'
import { logName } from '../reporting/names.ts'
import { hasRuleChangeNote, ruleChangeMark } from '../rule-files/enqueue-open.ts'
import { type FileText, fileAt } from '../rule-files/read-rule-file.ts'
import { type RulesInForce, repositoryRulePath } from '../rule-files/rules-in-force.ts'
import { createClientBudget, OutOfCalls } from '../service/call-budget.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { type Comparison, type RuleChange, ruleChangeText } from './note-text.ts'

/** What a job of the note works with. */
type NoteContext = Context & Pick<RunningJob<unknown>, 'claim'>

const purpose = 'rule change'
const developer = 30
const mostMergeRequests = 50
const mostReads = 300
const maxNotePages = 5

/** The handler of the rule-change queue; each job names a merge request that was opened or pushed to. */
export function createRuleChangeNote(context: Context): JobHandler<MergeRequestJob> {
  return async ({ data, claim }) => {
    const { marks } = await context.journal.load(data, [pausedProjectsMark])
    if (await isHeldBack(context, context.queues.ruleChanges, data, marks)) return { outcome: 'done' }
    try {
      await look({ ...context, claim }, data)
      return { outcome: 'done' }
    } catch (error) {
      if (isPermanentRefusal(error)) {
        await logSkipped(context, data, error.message)
        return { outcome: 'done' }
      }
      throw error
    }
  }
}

async function logSkipped({ journal, log }: Context, ref: MergeRequestRef, reason: string): Promise<void> {
  const mergeRequest = await logName(journal, ref)
  log.info({ event: 'rule_change_note_skipped', mergeRequest, reason }, 'no note on the change of rules')
}

async function look(context: NoteContext, ref: MergeRequestRef): Promise<void> {
  const { client, journal, rules } = context
  const ids = { id: ref.project, merge_request_iid: ref.iid }
  const mergeRequest = (await client.mergeRequests.get(ids)).body
  const answers: SourceAnswers = { [sources.mergeRequest.name]: { ok: true, body: mergeRequest, complete: true } }
  const touches = await touchesRules(context, { mergeRequest: ref, answers })
  if (touches === undefined) return logSkipped(context, ref, 'its changes cannot be read')
  const isNoted = await hasRuleChangeNote(journal, ref)
  if (mergeRequest.state !== 'opened' || (!touches && !isNoted)) return
  const { policy } = await rules.inForce(ref.project)
  // Observe mode writes nothing.
  if (policy.mode !== 'act') return
  if (!touches) {
    await removeNote(context, ids)
    await journal.marks.write(ref.project, ruleChangeMark(ref), 'removed')
    return
  }
  const { sha, source_project_id: source, author } = mergeRequest
  if (sha === undefined || sha === null || source === undefined || source === null || author?.id === undefined) return
  const { default_branch } = (await client.projects.get({ id: ref.project })).body
  if (mergeRequest.target_branch !== default_branch || !(await mayAsk(client, ref.project, author.id))) return
  const change = await compare(context, ref, sha, await fileAt(client, source, repositoryRulePath, sha))
  await writeNote(context, ids, ruleChangeText(change))
  await journal.marks.write(ref.project, ruleChangeMark(ref), 'written')
  const [problem] = change.problems
  // In a fork, Bellhop may set no status.
  if (problem !== undefined && source === ref.project)
    await failStatus(context, { project: source, sha, branch: mergeRequest.source_branch }, problem)
}

/** Only a member may make Bellhop work and write. */
async function mayAsk(client: Client, project: number, author: number): Promise<boolean> {
  try {
    return ((await client.projects.members.get({ id: project, user_id: author })).body.access_level ?? 0) >= developer
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

async function compare(
  context: NoteContext,
  ref: MergeRequestRef,
  head: string,
  file: FileText | null,
): Promise<RuleChange> {
  const { client } = context
  const proposed = await context.rules.asIf(ref.project, file)
  if (proposed.problems.length > 0)
    return { head, problems: proposed.problems, compared: [], left: 0, nobody: [], events: [] }
  const listed = (await client.mergeRequests.list({ id: ref.project, state: 'opened', per_page: 100 })).body
  const open = listed.flatMap(({ iid, title }) => (iid === undefined ? [] : [{ iid, title: title ?? '' }]))
  const rulesOf = ({ files, policy }: RulesInForce) => ({ files, policy })
  const inForce = await context.rules.inForce(ref.project)
  const both = { present: rulesOf(inForce), proposed: rulesOf(proposed) }
  const eventsOf = (rules: RulesInForce) => context.operator.hooks?.needed(rules, rules.projectPath ?? '') ?? []
  const before = eventsOf(inForce)
  const events = eventsOf(proposed).filter((each) => !before.includes(each))
  const budget = createClientBudget(client, mostReads)
  const compared = await compareAll({ ...context, client: budget.client }, ref, open.slice(0, mostMergeRequests), both)
  const own = proposed.files.find(({ path, trust }) => path === repositoryRulePath && trust === 'repository')
  const given = { mergeRequest: ref, now: new Date(context.now()).toISOString() }
  const nobody =
    own === undefined || file === null
      ? []
      : await emptyGroups(client, given, { ...file, ...own, projectPath: proposed.projectPath }, compared)
  return { head, problems: [], compared, left: open.length - compared.length, nobody, events }
}

/** The decisions by the rules in force and by the proposed ones, on the same facts. */
async function compareAll(
  { client, journal, botUser, operator, now }: NoteContext,
  ref: MergeRequestRef,
  open: readonly { iid: number; title: string }[],
  { present, proposed }: Record<'present' | 'proposed', Pick<InitialInput, 'files' | 'policy'>>,
): Promise<Comparison[]> {
  const seen = await journal.marks.read(ref.project, pipelinesMark)
  const compared: Comparison[] = []
  // Apart from those of evaluations: the members of a private group are not read here, but they are there.
  const cache = createAnswerCache()
  for (const { iid, title } of open) {
    const mergeRequest = { ...ref, iid }
    const initial = {
      mergeRequest,
      memory: (await journal.mergeRequests.memory(mergeRequest)) ?? emptyMemory(),
      events: [],
      now: new Date(now()).toISOString(),
      bot: await botUser(),
      offLabel: operator.offLabel,
      project: { mergeRequestPipelines: seen !== undefined },
      publicOnly: true as const,
    }
    // Without git, which would fetch every open branch: other heads count as other content.
    const reading = { cache, history: { journal, isSameContent: async () => false } }
    try {
      const { decision: before, input } = await decideWithFacts(client, { ...initial, ...present }, reading)
      const onSameFacts = { ...reading, answers: input.answers }
      const { decision: after } = await decideWithFacts(client, { ...initial, ...proposed }, onSameFacts)
      compared.push({ iid, title, before, after })
    } catch (error) {
      if (error instanceof OutOfCalls) break
      throw error
    }
  }
  return compared
}

type Ids = Record<'id' | 'merge_request_iid', number>

async function noteOf({ client, botUser }: Context, ids: Ids) {
  const { items } = await client
    .pages(client.mergeRequests.notes.list, { ...ids, per_page: 100 }, { maxPages: maxNotePages })
    .collect()
  return findBotNote(items, purpose, await botUser())
}

async function writeNote(context: NoteContext, ids: Ids, text: string): Promise<void> {
  const body = withMark(text, purpose) ?? text
  const note = await noteOf(context, ids)
  if (note?.body === body) return
  const { notes } = context.client.mergeRequests
  if (note === undefined) await notes.create({ ...ids, body }, { beforeRequest: context.claim })
  else await notes.update({ ...ids, note_id: note.id, body }, { beforeRequest: context.claim })
  const ref = { project: ids.id, iid: ids.merge_request_iid }
  context.log.info(
    { event: 'rule_change_note_written', mergeRequest: await logName(context.journal, ref) },
    'noted what a change of the rules would do',
  )
}

const statusName = 'bellhop/rules'
const longestDescription = 140

/** Fails the head, so that it waits where pipelines must succeed. */
async function failStatus(
  { client, claim }: NoteContext,
  { project: id, sha, branch: ref }: { project: number; sha: string; branch: string | undefined },
  problem: string,
): Promise<void> {
  const { statuses } = client.repository
  const present = (await statuses.list({ id, sha, name: statusName })).body
  if (present.some(({ status }) => status === 'failed')) return
  const description = cut(problem, longestDescription)
  await statuses.create({ id, sha, ref, name: statusName, state: 'failed', description }, { beforeRequest: claim })
}

async function removeNote(context: NoteContext, ids: Ids): Promise<void> {
  const note = await noteOf(context, ids)
  if (note !== undefined)
    await context.client.mergeRequests.notes.delete({ ...ids, note_id: note.id }, { beforeRequest: context.claim })
}

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
