// Counts the API calls of a decision: calls `decide` as the bot does (src/bot/evaluation/fetch-facts.ts), with the
// states of rule tests as the service's answers.
import { decide } from '../src/rules/engine/decide.ts'
import { instanceOf, mergeRequestSource, sourceNamed } from '../src/rules/facts/definition/sources.ts'
import { isProject } from '../src/rules/facts/definition/subject-ref.ts'
import { createView } from '../src/rules/facts/reading/fact-view.ts'
import { head } from '../src/rules/testing/ordinary-merge-request.ts'
import { answerOfName, decidedIn, decideIn, inputOf } from '../src/rules/testing/test-state.ts'
import type { RuleTest, Scene } from '../src/rules/testing/test-types.ts'
import type {
  Decision,
  Event,
  MergeRequestRef,
  RuleFileInForce,
  SourceAnswer,
  SourceAnswers,
  SourceName,
  Subject,
} from '../src/rules/types.ts'

export interface CountedDecision {
  subject: Subject

  /** The answers that were asked for, in their order. */
  reads: SourceName[]
  /** How many of them are read a second time, just before something bound to them is sent. */
  readAgain: number
  decision: Decision
}

const actorId = 3

/** The event as a delivery brings it: with the ids by which the note and the person are read. */
function delivered(event: Event, comment: string | undefined): Event {
  // As src/bot/intake/read-event.ts says it.
  const note = comment === undefined ? {} : { note: { id: 17, mentions: /^ {0,3}@\S/m.test(comment) } }
  return { ...event, actor: { ...event.actor, id: actorId }, ...note }
}

function answerOf(name: SourceName, scene: Scene, comment: string | undefined): SourceAnswer {
  const given = scene.answers[name]
  if (given !== undefined) return given
  if (name.startsWith('note@'))
    return {
      ok: true,
      complete: true,
      body: { id: Number(instanceOf(name)), body: comment, author: { id: actorId }, system: false },
    }
  if (name.startsWith('actorAccess@')) return { ok: true, complete: true, body: { id: actorId, access_level: 30 } }
  return answerOfName(name)
}

/** Decides in that state as if nothing were known yet: what a test gives is known only once it would have been read. */
export function countReads(test: Pick<RuleTest, 'event'>, given: Scene, files: RuleFileInForce[]): CountedDecision {
  const comment = test.event?.comment
  const scene = { ...given, events: given.events.map((each) => ({ ...each, event: delivered(each.event, comment) })) }
  const all = decidedIn(scene, files).map((each) => countFor(each, scene, files, comment))
  return {
    subject: scene.subject,
    reads: all.flatMap(({ reads }) => reads),
    readAgain: all.reduce((sum, each) => sum + each.readAgain, 0),
    decision: { ...decideIn(given, files), calls: all.flatMap(({ decision }) => decision.calls) },
  }
}

function countFor(
  ref: MergeRequestRef,
  scene: Scene,
  files: RuleFileInForce[],
  comment: string | undefined,
): CountedDecision {
  let answers: SourceAnswers = {}
  // Hooks told all pushes to it: push events are read once for a branch.
  const memory = { ...scene.memory, pushes: [{ from: null, to: head, by: {} }] }
  for (;;) {
    const { overrides: _none, ...unsupposed } = inputOf({ ...scene, memory }, files, answers, ref)
    const view = createView(unsupposed, scene.events[0]?.event)
    const overrides = scene.overrides.filter(({ fact }) => view.fact(fact).is !== 'unread')
    const result = decide({ ...unsupposed, overrides: overrides })
    if ('decision' in result) {
      const reads = Object.keys(answers)
      const bound = result.decision.calls.some((call) => call.revalidate === true)
      // Changed files are kept for their version.
      const notKept = reads.filter((name) => {
        const { cachedForMs, pagedCalls } = sourceNamed(name) ?? {}
        return cachedForMs === undefined && pagedCalls === undefined
      })
      return { subject: scene.subject, reads, readAgain: bound ? notKept.length : 0, decision: result.decision }
    }
    const next = mergeRequestSource in answers || isProject(ref) ? result.needs[0] : mergeRequestSource
    if (next === undefined || next in answers) throw new Error(`decide asks again for ${next}`)
    answers = { ...answers, [next]: answerOf(next, scene, comment) }
  }
}
