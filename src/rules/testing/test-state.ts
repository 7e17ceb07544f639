// The state of a rule test: an ordinary merge request, given facts, and what calls change. Asks no service.
import { isCallOn } from '../actions/definition/action-calls.ts'
import { isBackportBranch } from '../actions/definition/backport-commits.ts'
import { decide } from '../engine/decide.ts'
import { allDone, overridesAfter } from '../engine/observe-mode.ts'
import { emptyMemory, remember } from '../engine/update-memory.ts'
import { BUILT_IN } from '../explain/why.ts'
import { countItems } from '../facts/checklist.ts'
import { knownIn, textOf } from '../facts/definition/fact.ts'
import { items } from '../facts/definition/service-values.ts'
import { instanceOf, sourceNamed, sources } from '../facts/definition/sources.ts'
import { issueRef, projectRef } from '../facts/definition/subject-ref.ts'
import { readVersionChange } from '../facts/dependency-updates.ts'
import { isEventOf } from '../language/events.ts'
import type { Json, RuleFileInForce, Subject } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { Call, Decision, MergeRequestRef, Override, SourceAnswer, SourceAnswers } from '../types.ts'
import { idOf, serviceAnswers } from './given-service.ts'
import { answer, base, bot, head, issueAnswers, ordinaryAnswers, ordinaryNow } from './ordinary-merge-request.ts'
import { commentFacts, knownValue, type OverrideValue } from './overrides.ts'
import type { GivenState, RuleTest, Scene, TestEvent } from './test-types.ts'

type Following = Readonly<Record<string, OverrideValue>>
const nothing: Following = {}

const fromList =
  (follow: (list: Json[], value: OverrideValue) => Following) =>
  (value: OverrideValue): Following =>
    value.is === 'known' && value.complete && Array.isArray(value.value) ? follow(value.value, value) : nothing

/** Facts that follow from given ones, unless they are given themselves: three changed files have the count 3. */
const follows: Record<string, (value: OverrideValue) => Following> = {
  changed_files: fromList((paths) => ({ changed_files_count: knownValue(paths.length) })),
  commit_titles: fromList((titles, value) => ({ commits_count: knownValue(titles.length), commit_messages: value })),
  commit_messages: fromList((messages) => ({
    commits_count: knownValue(messages.length),
    commit_titles: knownValue(messages.map((each) => String(each).split('\n')[0] ?? '')),
  })),
  approved_by: fromList((users) => ({
    approvals_given: knownValue(users.length),
    approved_by_service: knownValue(users),
    approved_by_bot: knownValue(users.includes(bot.username)),
  })),
  assignee: (value) => {
    const user = knownIn(value)
    return user === undefined
      ? nothing
      : { assigned: knownValue(user !== null), assignees: knownValue(user === null ? [] : [user]) }
  },
  // A pipeline of the project also counts for `of_fork`.
  pipeline: (value) => ({ pipeline_of_fork: value }),
  // The author pushes their own work, unless something else is given.
  author: (value) => (value.is === 'known' ? { pushed_by: knownValue([value.value]) } : nothing),
}

function followingTexts(facts: GivenState['facts']): Record<string, OverrideValue> {
  const [title = '', description = '', branch = ''] = ['title', 'description', 'source_branch'].map((name) =>
    textOf(facts[name]),
  )
  const found = readVersionChange({ title, description, branch })
  const { open, done } = countItems(description)
  return {
    version_change: 'change' in found ? knownValue(found.change) : { is: 'absent', reason: found.unknown },
    ...(facts.description === undefined ? {} : { checklist_open: knownValue(open), checklist_done: knownValue(done) }),
  }
}

function givenFacts({ facts }: GivenState): Override[] {
  const following = Object.entries(facts).flatMap(([name, value]) => Object.entries(follows[name]?.(value) ?? {}))
  const hasTexts = facts.title !== undefined || facts.description !== undefined
  const all = { ...Object.fromEntries(following), ...(hasTexts ? followingTexts(facts) : {}), ...facts }
  return Object.entries(all).map(([fact, is]) => ({ fact, is }))
}

const supposing = (facts: Record<string, Json>): Override[] =>
  Object.entries(facts).map(([fact, value]) => ({ fact, is: knownValue(value) }))

/** The input of `decide` in this state, with these answers. */
export function inputOf(scene: Scene, files: RuleFileInForce[], answers: SourceAnswers, mergeRequest = ordinary) {
  return {
    files,
    mergeRequest,
    answers,
    memory: scene.memory,
    events: scene.events,
    now: scene.now,
    bot,
    offLabel: 'bellhop::off',
    project: { mergeRequestPipelines: false },
    overrides: scene.overrides,
  }
}

const ordinary = { project: 1, iid: 7 }
const refs = { merge_request: ordinary, issue: issueRef(1, 7), project: projectRef(1) }

/** What the bot would evaluate for a scene's event: the merge request or issue, the project, or both. */
export function decidedIn({ events, subject }: Pick<Scene, 'events' | 'subject'>, files: readonly RuleFileInForce[]) {
  const [first] = events
  if (first === undefined || subject === 'project') return [refs[subject]]
  const project = files.some(({ rules }) => rules.rules.some((rule) => rule.subject === 'project'))
    ? [refs.project]
    : []
  return isEventOf(first.event.kind, subject) ? [refs[subject], ...project] : project
}

/**
 * Decides as if every requested name (a user, a milestone) existed; joins the decisions for merge request and project.
 * Answers to commands that no rule has are left out: a test is about rules.
 */
export function decideIn(scene: Scene, files: RuleFileInForce[]): Decision {
  const all = decidedIn(scene, files).map((each) => decideAbout(each, scene, files))
  const nothing: Decision = { rules: [], calls: [], responses: [], head: null, files: [] }
  return {
    ...(all[0] ?? nothing),
    rules: all.flatMap((each) => each.rules),
    calls: callsOfRules(all.flatMap((each) => each.calls)),
  }
}

/** The calls without Bellhop's own answers to commands. */
export const callsOfRules = (calls: readonly Call[]): Call[] =>
  calls.filter(({ rules }) => !rules.some((name) => name.startsWith(`${BUILT_IN}#`)))

function decideAbout(mergeRequest: MergeRequestRef, scene: Scene, files: RuleFileInForce[]): Decision {
  let { answers } = scene
  for (;;) {
    const result = decide(inputOf(scene, files, answers, mergeRequest))
    if ('decision' in result) return result.decision
    for (const name of result.needs) {
      if (Object.hasOwn(answers, name)) throw new Error(`decide asks again for ${name}`)
      answers = { ...answers, [name]: answerOfName(name) }
    }
  }
}

const answersOf = (subject: Subject, now: string): SourceAnswers =>
  subject === 'issue' ? issueAnswers(now) : ordinaryAnswers(now)

const MOST_ROUNDS = 3

function nextState(scene: Scene, given: GivenState): Scene {
  const now = given.now ?? scene.now
  const { notes } = scene.answers
  return {
    ...scene,
    now,
    overrides: [...scene.overrides, ...givenFacts(given)],
    answers: {
      ...answersOf(scene.subject, now),
      ...(notes === undefined ? {} : { notes }),
      ...serviceAnswers(scene.answers, given.service),
    },
  }
}

/** The state after every call was made and had its effect, until nothing is left to do. */
function settled(scene: Scene, files: RuleFileInForce[], decisions: Decision[]): Scene {
  let next = scene
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const decision = decideIn(next, files)
    decisions.push(decision)
    next = { ...afterCalls(next, decision), memory: remember(next.memory, allDone(decision, next.now)) }
    if (decision.calls.length === 0) break
  }
  return next
}

function withEvent(scene: Scene, event: TestEvent | undefined): Scene {
  if (event === undefined) return scene
  const { kind, access, actor, comment, changed, ref, refChange } = event
  // The note is no internal one.
  const note = supposing(comment === undefined ? {} : commentFacts(comment, bot.username)).map((each) => ({
    ...each,
    isPublic: true as const,
  }))
  const overrides = [...scene.overrides, ...note, ...supposing({ actor_access: access })]
  const username = actor ?? String(saidOf(scene, 'author') ?? 'alice')
  const happened = { kind, actor: { username }, at: scene.now, project: 1, iid: 7, changed, ref, refChange }
  return { ...scene, overrides, events: [{ id: 'event', event: happened }] }
}

/** The state that a test is about, after its earlier states; adds their decisions to `decisions`. */
export function sceneOf(test: RuleTest, files: RuleFileInForce[], decisions: Decision[]): Scene {
  const { subject } = test
  const first: Scene = {
    subject,
    overrides: supposing({ pushed_by: ['alice'] }),
    now: ordinaryNow,
    answers: answersOf(subject, ordinaryNow),
    memory: emptyMemory(),
    events: [],
  }
  const before = test.before.reduce<Scene>((scene, given) => settled(nextState(scene, given), files, decisions), first)
  return withEvent(nextState(before, test.given), test.event)
}

/**
 * What the service answers to a look-up by name: everyone and everything that a rule names exists, each name with its
 * own id, but no branch that Bellhop makes. What was merged landed as one commit. Nobody set a status.
 */
export function answerOfName(source: string): SourceAnswer {
  const name = instanceOf(source) ?? ''
  switch (sourceNamed(source)?.name) {
    case sources.user.name:
    case sources.milestone.name:
      return answer([{ id: idOf(name), username: name, title: name, state: 'active' }])
    case sources.mergeRequestsFrom.name:
    case sources.statuses.name:
      return answer([])
    case sources.branch.name:
      if (isBackportBranch(name)) return { ok: false, status: 404, reason: 'There is no such branch.' }
      return answer({ name, commit: { id: head, message: '' } })
    case sources.commonWithTarget.name:
      return answer({ id: name })
    case sources.history.name:
      return answer([{ id: name, parent_ids: [base] }])
    default:
      return { ok: false, reason: 'a rule test does not say it' }
  }
}

function saidOf({ overrides }: Scene, name: string): Json | undefined {
  const said = overrides.findLast((each) => each.fact === name && 'is' in each)
  return said !== undefined && 'is' in said ? knownIn(said.is) : undefined
}

/** Bellhop's own notes, newest first. */
function notesAfter(notes: SourceAnswer | undefined, call: Call): SourceAnswer | undefined {
  const list = (notes?.ok === true ? (items(notes.body as unknown[]) ?? []) : []).filter(isMap)
  const { note_id, body } = call.params
  if (isCallOn(call, 'notes.create'))
    return answer([
      { id: 1 + Math.max(0, ...list.map(({ id }) => Number(id))), body, author: bot, system: false },
      ...list,
    ])
  if (isCallOn(call, 'notes.update'))
    return answer(list.map((note) => (note.id === note_id ? { ...note, body } : note)))
  return isCallOn(call, 'notes.delete') ? answer(list.filter((note) => note.id !== note_id)) : notes
}

function afterCalls(scene: Scene, { calls }: Decision): Scene {
  const notes = calls.reduce(notesAfter, scene.answers.notes)
  return {
    ...scene,
    overrides: [...scene.overrides, ...overridesAfter(calls)],
    answers: { ...scene.answers, ...(notes === undefined ? {} : { notes }) },
  }
}
