// One merge request as the rules see it: every fact by name, overridden or read once from answers of its version.
import type { GroupMembers } from '../../language/operators/operator-shapes.ts'
import type { DecideInput, Event, FactValue, Override, SourceName, Subject } from '../../types.ts'
import { type FactView, notRead, notShown, type Reading, unlabelled } from '../definition/fact.ts'
import { membersAmong } from '../definition/group-members.ts'
import { parseTime } from '../definition/service-values.ts'
import { bodyOf, readCall, type ShownVersion, type Source, tellsOf, versionOf } from '../definition/source.ts'
import { answerName, instanceOf, mergeRequestSource, sourceNamed, sources } from '../definition/sources.ts'
import { isIssue, isProject, subjectOf } from '../definition/subject-ref.ts'
import { factNamed } from '../index.ts'

export interface FactReader {
  fact(name: string): FactValue
  /** The people of a fact that are members of the group. Without `anyGroup` only the project's own groups are known. */
  membersAmong(name: string, group: GroupMembers, anyGroup?: boolean): FactValue
  /** The value for public text, which every reader of the merge request may see. */
  publicFact(name: string): FactValue
  /** Whether the value is shown to nobody, not even to operators. */
  hides(name: string): boolean
  /** The actual value in words; `say` is called once for each fact. */
  actual(name: string, say: () => string): string
  /** Milliseconds since 1970; NaN if the time cannot be parsed. */
  now: number
  subject: Subject
  /** The evaluated event. */
  event?: Event
}

type Unread = Extract<FactValue, { is: 'unread' }>

/** The input of a decision with the facts that it shows. */
export interface ViewedInput extends DecideInput {
  view: FactReader
}

function readSource<B>(
  input: DecideInput,
  source: Source<B>,
  event: Event | undefined,
  instance?: string,
): Reading<B> | Unread {
  if (!tellsOf(source, subjectOf(input.mergeRequest)))
    return { is: 'absent', reason: isProject(input.mergeRequest) ? 'there is no merge request' : 'issues have none' }
  const name = answerName(source, event, instance)
  if (name === undefined)
    return { is: 'absent', reason: event === undefined ? 'there is no event' : 'the event does not say' }
  const answer = Object.hasOwn(input.answers, name) ? input.answers[name] : undefined
  if (answer === undefined) {
    if (readCall(source, input.mergeRequest, input.answers, instanceOf(name)) === null)
      return { is: 'absent', reason: 'it cannot be read' }
    return { is: 'unread', source: name }
  }
  if (!answer.ok) return { is: 'absent', reason: answer.reason, status: answer.status }
  const body = bodyOf(source, answer)
  if (body === undefined) return { is: 'absent', reason: 'the hosting service’s answer cannot be read' }
  if (source.version !== undefined) {
    const evaluated = readSource(input, sources.mergeRequest, undefined)
    if (evaluated.is !== 'read') return evaluated
    const other = otherVersion(source.version(body), versionOf(evaluated.body))
    if (other !== undefined) return { is: 'absent', reason: other.reason }
  }
  return { is: 'read', body, complete: answer.complete && source.complete(body) }
}

/** Whether people wrote it on a confidential issue. Fails closed: an issue that does not say is confidential. */
function hides(name: string, input: DecideInput): boolean {
  if (factNamed(name)?.isWritten !== true || !isIssue(input.mergeRequest)) return false
  const issue = readSource(input, sources.mergeRequest, undefined)
  return issue.is !== 'read' || (issue.body as { confidential?: unknown }).confidential !== false
}

/** The value of a fact for public text. Fails closed: an override of a restricted fact may be private. */
function readPublic(name: string, value: () => FactValue, reading: FactReading, input: DecideInput): FactValue {
  const read = factNamed(name)?.readPublic
  if (hides(name, input)) return notShown
  if (read === undefined) return withoutServiceWords(value(), input)
  const overrides = input.overrides?.filter((each) => each.fact === name) ?? []
  if (overrides.length > 0) return overrides.every((each) => 'isPublic' in each && each.isPublic) ? value() : notShown
  return withoutServiceWords(reading(read), input)
}

/** An error message of the service may name private projects or people. */
function withoutServiceWords(value: FactValue, { answers }: DecideInput): FactValue {
  if (value.is !== 'absent') return value
  const quotes = Object.values(answers).some((answer) => !answer.ok && value.reason.includes(answer.reason))
  return quotes ? { is: 'absent', reason: 'the hosting service does not tell' } : value
}

/** What `read` makes of the answers, or the first source that it asked for and that was not read. */
export type FactReading = <T>(read: (view: FactView) => T) => T | Unread

export function factReading(input: DecideInput, event?: Event): FactReading {
  const { mergeRequest, memory, now, bot, project, policy } = input
  const unread: Unread[] = []
  const given = { mergeRequest, memory, now, bot, project, event, policy }
  const view: FactView = {
    ...given,
    source(source, instance) {
      const reading = readSource(input, source, event, instance)
      if (reading.is !== 'unread') return reading
      unread.push(reading)
      return notRead
    },
  }
  return (read) => {
    unread.length = 0
    const value = read(view)
    return unread[0] ?? value
  }
}

/** A view of the known facts, for one event or none. A fact whose source was not read names the source. */
export function createView(input: DecideInput, event?: Event): FactReader {
  const seen = new Map<string, FactValue>()
  const said = new Map<string, string>()
  const { mergeRequest, now, bot } = input
  const reading = factReading(input, event)
  const fact = (name: string): FactValue => {
    const before = seen.get(name)
    if (before !== undefined) return before
    const declared = factNamed(name)
    const read = (): FactValue =>
      declared === undefined ? { is: 'absent', reason: 'there is no such fact' } : reading(declared.read)
    const value = input.overrides === undefined ? read() : overriddenFact(name, input.overrides, read)
    seen.set(name, value)
    return value
  }
  const publicFact = (name: string) => readPublic(name, () => fact(name), reading, input)
  const shown = input.publicOnly === true ? publicFact : fact
  return {
    now: parseTime(now) ?? Number.NaN,
    subject: subjectOf(mergeRequest),
    event,
    fact: shown,
    membersAmong(name, group, anyGroup = false) {
      const value = shown(name)
      const except = factNamed(name)?.consents === true ? bot.username : undefined
      return reading(({ source }) => membersAmong(value, group, { except, anyGroup, now, source }))
    },
    publicFact,
    hides: (name) => hides(name, input),
    actual(name, say) {
      const words = said.get(name) ?? say()
      said.set(name, words)
      return words
    },
  }
}

function changed(value: FactValue, override: Override): FactValue {
  // An unknown value stays unknown: an added label is no whole list.
  if ('is' in override || value.is !== 'known' || !Array.isArray(value.value)) return value
  const list =
    'add' in override
      ? [...new Set([...value.value, ...override.add])]
      : value.value.filter((each) => typeof each !== 'string' || !override.remove.includes(each))
  return { ...value, value: list, remark: value.remark ?? 'overridden' }
}

/** The fact after overrides; reads it only if no override gives the whole value. Later overrides win. */
export function overriddenFact(name: string, overrides: readonly Override[], read: () => FactValue): FactValue {
  const own = overrides.filter(({ fact }) => fact === name || fact === unlabelled(name))
  const last = own.findLastIndex((each) => 'is' in each)
  const said = own[last]
  return own.slice(last + 1).reduce(changed, said !== undefined && 'is' in said ? said.is : read())
}

/** The delay before the next evaluation after an answer of another version. */
export const readAgainInMs = 2000

/** Why an answer does not count; `readAgain`: the answer may be another one by now. */
interface OtherVersion {
  reason: string
  readAgain: boolean
}

const again = (what: string): OtherVersion => ({
  reason: `it is of ${what} than the merge request: both are read again`,
  readAgain: true,
})

const unsaid: OtherVersion = { reason: 'the hosting service does not say of which version it is', readAgain: false }

/** Why the answer does not count; undefined if it is of the evaluated version. Fails closed without a version. */
function otherVersion(shown: ShownVersion, evaluated: ShownVersion): OtherVersion | undefined {
  if (typeof evaluated.head !== 'string') return { reason: 'the merge request has no head commit', readAgain: false }
  if (typeof shown.head !== 'string') return unsaid
  if (shown.head !== evaluated.head) return again('another head commit')
  // A list of commits shows no target branch.
  if ('target' in shown && shown.target !== evaluated.target)
    return typeof shown.target === 'string' ? again('another target branch') : unsaid
  const [own = {}, others = {}] = [shown.refs, evaluated.refs]
  // A commit differs only if both sides name it.
  const differs = Object.entries(own).some(
    ([name, sha]) => typeof sha === 'string' && typeof others[name] === 'string' && others[name] !== sha,
  )
  return differs ? again('another base commit') : undefined
}

/** The versions that an answer and the merge request show; undefined if one of them shows none. */
function versionsIn(answers: DecideInput['answers'], name: SourceName): [ShownVersion, ShownVersion] | undefined {
  const source = sourceNamed(name)
  if (source?.version === undefined) return undefined
  const [body, mergeRequest] = [
    bodyOf(source, answers[name]),
    bodyOf(sources.mergeRequest, answers[mergeRequestSource]),
  ]
  return body === undefined || mergeRequest === undefined ? undefined : [source.version(body), versionOf(mergeRequest)]
}

/** The answers that are of another version than the merge request: it was pushed or retargeted between two reads. */
export function answersOfOtherVersions({ answers }: Pick<DecideInput, 'answers'>): SourceName[] {
  return Object.keys(answers).filter((name) => {
    const versions = versionsIn(answers, name)
    return versions !== undefined && otherVersion(...versions)?.readAgain === true
  })
}

/** The commits and the target branch of a version; undefined if some are missing, or they belong to two versions. */
function exactVersion({ head, target, refs = {} }: ShownVersion): string | undefined {
  const parts = [head, target, refs.base_sha, refs.start_sha]
  // After a push, the service names the new head before the references.
  if (refs.head_sha !== head) return undefined
  return parts.every((part) => typeof part === 'string') ? JSON.stringify(parts) : undefined
}

/** Whether an answer can change only together with the version of the merge request that was read. */
export function isOfExactVersion({ answers }: Pick<DecideInput, 'answers'>, name: SourceName): boolean {
  const [own, evaluated] = versionsIn(answers, name)?.map(exactVersion) ?? []
  return own !== undefined && own === evaluated
}
