// Whatever an author does, Bellhop keeps no approval or waiting merge that no rule in force requests.
import fc from 'fast-check'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { Mode, RuleFileInForce } from '../../../../src/rules/language/values/rule-types.ts'
import type { Call, Memory, NewRuleLimit, SourceAnswers } from '../../../../src/rules/types.ts'
import {
  answer,
  answers,
  applied,
  came,
  change,
  decided,
  file,
  head,
  input,
  pipeline,
  rule,
  rules,
} from '../../world.ts'

const text = rules(
  rule('{ state: opened }', '{ comment: "It is called {{ title }}." }', 'note'),
  rule(
    '{ changed_files: { all: "docs/**" }, labels: { none: [hold] } }',
    '{ approve: true, accept: { when: pipeline_succeeds } }',
    'docs',
  ),
  rule('{ labels: { none: [ready] } }', '{ label: { add: ready } }', 'ready'),
  rule('{ labels: { any: [stop] } }', '{ unapprove: true, cancel_accept: true }', 'stop'),
)
const files = { repository: file(text, { trust: 'repository' }), operator: file(text) }
const offLabel = 'bellhop::off'
const developer = 2
const guest = 5
type Fields = Record<string, unknown>

/** One merge request on a service that keeps approvals and waiting merges over pushes and changes of the target. */
class Simulation {
  state: SourceAnswers = {}
  memory: Memory = emptyMemory()
  now = Date.parse('2026-01-11T00:00:00Z')
  docs = true
  offBy: number | undefined
  mode: Mode = 'act'
  /** The response to the next new note is lost; `applied`: the service had written it. */
  loses: { applied: boolean } | undefined
  newRuleLimit: NewRuleLimit | undefined
  /** The changes are those of another head. */
  swapped = false
  /** The newest version of the rule file cannot be read. */
  broken = false
  readonly file: RuleFileInForce

  constructor(of: RuleFileInForce) {
    this.file = of
    this.set(pipeline('running'), answers())
  }

  get mergeRequest() {
    const { mergeRequest: mr } = this.state
    return (mr?.ok === true ? mr.body : {}) as Fields & { labels: string[]; head_pipeline: Fields }
  }

  set(fields: Fields, before = this.state): void {
    this.state = before
    const mr = { ...this.mergeRequest, ...fields } as Simulation['mergeRequest']
    const set = { id: 1, action: 'add', label: { name: offLabel }, user: { id: this.offBy, username: 'somebody' } }
    const changes = [change(this.docs ? 'docs/a.md' : 'src/door.ts')]
    this.state = {
      ...before,
      mergeRequest: answer(mr),
      changes: answer({ ...mr, ...(this.swapped ? { sha: 'c'.repeat(40) } : {}), changes_count: '1', changes }),
      labelEvents: answer(mr.labels.includes(offLabel) ? [set] : []),
      [`actorAccess@${developer}`]: answer({ id: developer, access_level: 30 }),
      [`actorAccess@${guest}`]: answer({ id: guest, access_level: 10 }),
    }
  }

  label(name: string, on: boolean, by: number): void {
    const { labels } = this.mergeRequest
    if (name === offLabel && on && !labels.includes(offLabel)) this.offBy = by
    this.set({ labels: [...labels.filter((each) => each !== name), ...(on ? [name] : [])] })
  }

  /** Decides and sends until nothing is left to send. */
  settle(): void {
    for (let round = 0; round < 12; round += 1) {
      const at = new Date(this.now).toISOString()
      const { state, memory, newRuleLimit } = this
      const given = { answers: state, memory, now: at, offLabel, policy: { mode: this.mode }, newRuleLimit }
      const decision = decided(input([{ ...this.file, broken: this.broken }], given))
      const done: Call[] = []
      const responses = []
      for (const call of decision.calls) {
        const lost = call.endpoint === 'mergeRequests.notes.create' ? this.loses : undefined
        if (lost === undefined || lost.applied) done.push(call)
        responses.push({ ...came(call, lost === undefined ? 'done' : 'ambiguous'), at })
        if (lost === undefined) continue
        this.loses = undefined
        break
      }
      this.set({}, applied(this.state, { ...decision, calls: done }))
      this.memory = remember(this.memory, { ...decision, responses })
      if (decision.calls.length === 0) return
    }
    throw new Error('it does not come to rest')
  }

  /** Whether the rules and the operator request it, without the code that is tested. */
  get isRequested(): boolean {
    const { labels, target_branch } = this.mergeRequest
    const isOff = labels.includes(offLabel) && this.offBy === developer
    const mayBe = this.file.trust === 'operator' || target_branch === 'main'
    const isStopped = labels.includes('hold') || labels.includes('stop')
    return this.mode === 'act' && !isOff && mayBe && this.docs && !this.swapped && !isStopped
  }

  /** Whether its approval stands, and its merge waits. */
  get held(): boolean[] {
    const { approvals } = this.state
    const isApproved = approvals?.ok === true && (approvals.body as Fields).user_has_approved === true
    return [isApproved, this.mergeRequest.merge_when_pipeline_succeeds === true]
  }
}

const usedUp = (path: string): NewRuleLimit => ({
  perHour: 1,
  newRules: ['note', 'docs', 'ready', 'stop'].map((name) => `${path}#${name}`),
  full: Object.fromEntries(['approve', 'accept', 'comment'].map((name) => [name, '2026-02-01T00:00:00Z'])),
})

/** One thing that somebody does between two evaluations. */
const move = <T>(weight: number, does: string, values: fc.Arbitrary<T>, on: (of: Simulation, value: T) => void) => ({
  weight,
  arbitrary: values.map((value) => ({ does, value, on: (of: Simulation) => on(of, value) })),
})
const isOn = fc.boolean()
const names = fc.constantFrom('hold', 'ready', 'stop', offLabel)
const moves = fc.oneof(
  move(4, 'edit', fc.string({ maxLength: 5 }), (of, title) => of.set({ title })),
  move(5, 'label', fc.tuple(names, isOn, fc.constantFrom(developer, guest)), (of, label) => of.label(...label)),
  // Often enough for the loop guard to pause.
  move(8, 'take off', fc.constant('ready'), (of, name) => of.label(name, false, developer)),
  move(3, 'push', fc.record({ sha: fc.constantFrom(head, 'b'.repeat(40)), docs: isOn }), (of, { sha, docs }) => {
    of.docs = docs
    of.set({ sha, head_pipeline: { ...of.mergeRequest.head_pipeline, sha, status: 'running' } })
  }),
  move(3, 'retarget', fc.constantFrom('main', 'production'), (of, target_branch) => of.set({ target_branch })),
  move(1, 'draft', isOn, (of, on) => of.set({ draft: on, work_in_progress: on })),
  move(2, 'pipeline', fc.constantFrom('running', 'failed', 'manual', 'skipped'), (of, status) =>
    of.set({ head_pipeline: { ...of.mergeRequest.head_pipeline, status } }),
  ),
  move(2, 'wait', fc.constantFrom(1_500, 60_000, 700_000), (of, ms) => {
    of.now += ms
  }),
  move(1, 'lose', fc.record({ applied: isOn }), (of, loses) => Object.assign(of, { loses })),
  move(1, 'mode', fc.constantFrom('act', 'act', 'observe', 'off'), (of, mode) => Object.assign(of, { mode })),
  move(1, 'limit', isOn, (of, on) => Object.assign(of, { newRuleLimit: on ? usedUp(of.file.path) : undefined })),
  move(1, 'break', isOn, (of, broken) => Object.assign(of, { broken })),
  move(1, 'swap', isOn, (of, swapped) => Object.assign(of, { swapped }).set({})),
)

describe('an approval and a waiting merge', () => {
  it('are kept only while a rule requests them, whatever was edited, labelled, pushed and retargeted', () => {
    let stood = 0
    fc.assert(
      fc.property(
        fc.constantFrom('repository' as const, 'operator' as const),
        fc.array(fc.record({ move: moves, settles: fc.boolean() }), { minLength: 1, maxLength: 40 }),
        fc.constantFrom(undefined, { applied: true }, { applied: false }),
        (trust, sequence, loses) => {
          const simulation = new Simulation(files[trust])
          simulation.loses = loses
          simulation.settle()
          if (simulation.held.every(Boolean)) stood += 1
          for (const { move, settles } of sequence) {
            move.on(simulation)
            if (!settles) continue
            simulation.settle()
            if (!simulation.isRequested) expect(simulation.held).toEqual([false, false])
          }
        },
      ),
      { numRuns: 150 },
    )
    expect(stood).toBeGreaterThan(0)
  })

  it('are withdrawn from an author who edits the title seven times and then changes the target', () => {
    const simulation = new Simulation(files.repository)
    simulation.settle()
    expect(simulation.held).toEqual([true, true])
    for (let edit = 1; edit <= 7; edit += 1) {
      simulation.set({ title: `Title ${edit}` })
      simulation.now += 1_500
      simulation.settle()
    }
    simulation.set({ target_branch: 'production' })
    simulation.settle()
    expect(simulation.held).toEqual([false, false])
  })
})
