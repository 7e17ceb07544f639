// One merge request as the rules see it: every fact by name, read once from the available answers.
import type { Tolerant } from '../../../api/endpoint.ts'
import type { GroupMembers } from '../../language/operators/members-of.ts'
import type { DecideInput, Event, FactValue, Subject } from '../../types.ts'
import { type FactView, notShown, type Reading } from '../definition/fact.ts'
import { membersAmong } from '../definition/group-members.ts'
import { parseTime } from '../definition/parse-time.ts'
import { bodyOf, readCall, type Source, tellsOf, versionOf } from '../definition/source.ts'
import { answerName, instanceOf, sources } from '../definition/sources.ts'
import { isIssue, isProject, subjectOf } from '../definition/subject-ref.ts'
import { factNamed } from '../index.ts'
import { otherVersion } from './evaluated-version.ts'
import { overriddenFact } from './overridden-fact.ts'

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

function readSource<B>(input: DecideInput, source: Source<B>, event: Event | undefined, instance?: string): Reading<B> {
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
  return notOfVersion(input, source, body) ?? { is: 'read', body, complete: answer.complete && source.complete(body) }
}

/** Why a body does not count: it is not of the evaluated version, or that version is unknown. */
function notOfVersion<B>(
  input: DecideInput,
  source: Source<B>,
  body: Tolerant<B>,
): Exclude<Reading<B>, { is: 'read' }> | undefined {
  if (source.version === undefined) return undefined
  const evaluated = readSource(input, sources.mergeRequest, undefined)
  if (evaluated.is !== 'read') return evaluated
  const other = otherVersion(source.version(body), versionOf(evaluated.body))
  return other === undefined ? undefined : { is: 'absent', reason: other.reason }
}

/** Whether people wrote it on a confidential issue. Fails closed: an issue that does not say is confidential. */
function hides(name: string, input: DecideInput): boolean {
  if (factNamed(name)?.isWritten !== true || !isIssue(input.mergeRequest)) return false
  const issue = readSource(input, sources.mergeRequest, undefined)
  return issue.is !== 'read' || (issue.body as { confidential?: unknown }).confidential !== false
}

/** The value of a fact for public text. Fails closed: an override of a restricted fact may be private. */
function readPublic(name: string, value: () => FactValue, view: FactView, input: DecideInput): FactValue {
  const fact = factNamed(name)
  if (hides(name, input)) return notShown
  if (fact?.readPublic === undefined) return withoutServiceWords(value(), input)
  if (input.overrides?.some((each) => each.fact === name)) return notShown
  return withoutServiceWords(fact.readPublic(view), input)
}

/** An error message of the service may name private projects or people. */
function withoutServiceWords(value: FactValue, { answers }: DecideInput): FactValue {
  if (value.is !== 'absent') return value
  const quotes = Object.values(answers).some((answer) => !answer.ok && value.reason.includes(answer.reason))
  return quotes ? { is: 'absent', reason: 'the hosting service does not tell' } : value
}

export function factView(input: DecideInput, event?: Event): FactView {
  const { mergeRequest, memory, now, bot, project, policy } = input
  return {
    mergeRequest,
    memory,
    now,
    bot,
    project,
    event,
    policy,
    source: (source, instance) => readSource(input, source, event, instance),
  }
}

/** A view of the known facts, for one event or none. A fact whose source was not read names the source. */
export function createView(input: DecideInput, event?: Event): FactReader {
  const seen = new Map<string, FactValue>()
  const said = new Map<string, string>()
  const { mergeRequest, now, bot } = input
  const given = factView(input, event)
  const fact = (name: string): FactValue => {
    const before = seen.get(name)
    if (before !== undefined) return before
    const read = (): FactValue => factNamed(name)?.read(given) ?? { is: 'absent', reason: 'there is no such fact' }
    const value = input.overrides === undefined ? read() : overriddenFact(name, input.overrides, read)
    seen.set(name, value)
    return value
  }
  const publicFact = (name: string) => readPublic(name, () => fact(name), given, input)
  const shown = input.publicOnly === true ? publicFact : fact
  return {
    now: parseTime(now) ?? Number.NaN,
    subject: subjectOf(mergeRequest),
    event,
    fact: shown,
    membersAmong: (name, group, anyGroup = false) =>
      membersAmong(
        shown(name),
        group,
        {
          except: factNamed(name)?.consents === true ? bot.username : undefined,
          members: (each) => readSource(input, sources.groupMembers, event, each.group),
          project: anyGroup
            ? undefined
            : () => readSource<Record<string, unknown>>(input, sources.project as never, event),
        },
        now,
      ),
    publicFact,
    hides: (name) => hides(name, input),
    actual(name, say) {
      const words = said.get(name) ?? say()
      said.set(name, words)
      return words
    },
  }
}
