// Whatever an author does, Bellhop keeps no approval or waiting merge that no rule in force requests.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type {
  Call,
  DecideInput,
  Memory,
  Mode,
  NewRuleLimit,
  RuleFileInForce,
  SourceAnswers,
} from '../../../../src/rules/types.ts'
import { answer, answers, applied, came, change, decided, file, head, input, rule, rules } from '../../world.ts'

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

/** One thing that somebody does between two evaluations. */
type Move =
  | { does: 'edit'; title: string }
  | { does: 'label'; name: string; on: boolean; by: number }
  | { does: 'push'; to: string; docs: boolean }
  | { does: 'retarget'; to: string }
  | { does: 'draft'; on: boolean }
  | { does: 'pipeline'; status: string }
  | { does: 'wait'; ms: number }
  /** The response to the next new note is lost; `applied`: the service had written it. */
  | { does: 'lose'; applied: boolean }
  | { does: 'mode'; mode: Mode }
  | { does: 'limit'; full: boolean }
  /** The newest version of the rule file cannot be read. */
  | { does: 'break'; on: boolean }
  /** The changes are those of another head. */
  | { does: 'swap'; on: boolean }

const move = (weight: number, does: Move['does'], fields: Record<string, fc.Arbitrary<unknown>>) => ({
  weight,
  arbitrary: fc.record({ does: fc.constant(does), ...fields }) as unknown as fc.Arbitrary<Move>,
})
const on = fc.boolean()
const moves = fc.oneof(
  move(4, 'edit', { title: fc.string({ maxLength: 5 }) }),
  move(5, 'label', {
    name: fc.constantFrom('hold', 'ready', 'stop', offLabel),
    on,
    by: fc.constantFrom(developer, guest),
  }),
  // Often enough for the loop guard to pause.
  move(8, 'label', { name: fc.constant('ready'), on: fc.constant(false), by: fc.constant(developer) }),
  move(3, 'push', { to: fc.constantFrom(head, 'b'.repeat(40)), docs: on }),
  move(3, 'retarget', { to: fc.constantFrom('main', 'production') }),
  move(1, 'draft', { on }),
  move(2, 'pipeline', { status: fc.constantFrom('running', 'failed', 'manual', 'skipped') }),
  move(2, 'wait', { ms: fc.constantFrom(1_500, 60_000, 700_000) }),
  move(1, 'lose', { applied: on }),
  move(1, 'mode', { mode: fc.constantFrom('act', 'act', 'observe', 'off') }),
  move(1, 'limit', { full: on }),
  move(1, 'break', { on }),
  move(1, 'swap', { on }),
)
type Fields = Record<string, unknown>

/** One merge request on a service that keeps approvals and waiting merges over pushes and changes of the target. */
class Simulation {
  state: SourceAnswers = {}
  memory: Memory = emptyMemory()
  now = Date.parse('2026-01-11T00:00:00Z')
  docs = true
  offBy: number | undefined
  mode: Mode = 'act'
  loses: { applied: boolean } | undefined
  newRuleLimit: NewRuleLimit | undefined
  swapped = false
  broken = false
  readonly #file: RuleFileInForce

  constructor(of: RuleFileInForce) {
    this.#file = of
    this.#set({ head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'running', source: 'push' } }, answers())
  }

  get mergeRequest(): Fields {
    return this.state.mergeRequest?.ok === true ? (this.state.mergeRequest.body as Fields) : {}
  }

  #set(fields: Fields, before = this.state): void {
    const old = before.mergeRequest?.ok === true ? (before.mergeRequest.body as Fields) : {}
    const mr: Fields = { ...old, ...fields }
    const labels = mr.labels as string[]
    const events = labels.includes(offLabel)
      ? [{ id: 1, action: 'add', label: { name: offLabel }, user: { id: this.offBy, username: 'somebody' } }]
      : []
    this.state = {
      ...before,
      mergeRequest: answer(mr),
      changes: answer({
        ...mr,
        ...(this.swapped ? { sha: 'c'.repeat(40) } : {}),
        changes_count: '1',
        changes: [change(this.docs ? 'docs/a.md' : 'src/door.ts')],
      }),
      labelEvents: answer(events),
      [`actorAccess@${developer}`]: answer({ id: developer, access_level: 30 }),
      [`actorAccess@${guest}`]: answer({ id: guest, access_level: 10 }),
    }
  }

  move(move: Move): void {
    const { labels, head_pipeline: pipeline } = this.mergeRequest as { labels: string[]; head_pipeline: Fields }
    switch (move.does) {
      case 'edit':
        this.#set({ title: move.title })
        break
      case 'label':
        if (move.name === offLabel && move.on && !labels.includes(offLabel)) this.offBy = move.by
        this.#set({ labels: [...labels.filter((name) => name !== move.name), ...(move.on ? [move.name] : [])] })
        break
      case 'push':
        this.docs = move.docs
        this.#set({ sha: move.to, head_pipeline: { ...pipeline, sha: move.to, status: 'running' } })
        break
      case 'retarget':
        this.#set({ target_branch: move.to })
        break
      case 'draft':
        this.#set({ draft: move.on, work_in_progress: move.on })
        break
      case 'pipeline':
        this.#set({ head_pipeline: { ...pipeline, status: move.status } })
        break
      case 'wait':
        this.now += move.ms
        break
      case 'lose':
        this.loses = { applied: move.applied }
        break
      case 'mode':
        this.mode = move.mode
        break
      case 'limit':
        this.newRuleLimit = move.full ? usedUp(this.#file.path) : undefined
        break
      case 'break':
        this.broken = move.on
        break
      case 'swap':
        this.swapped = move.on
        this.#set({})
    }
  }

  /** Decides and sends until nothing is left to send. */
  settle(): void {
    for (let round = 0; round < 12; round += 1) {
      const decision = decided(this.#given())
      const at = new Date(this.now).toISOString()
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
      this.state = applied(this.state, { ...decision, calls: done })
      this.#set({})
      this.memory = remember(this.memory, { ...decision, responses })
      if (decision.calls.length === 0) return
    }
    throw new Error('it does not come to rest')
  }

  #given(): DecideInput {
    return input([{ ...this.#file, broken: this.broken }], {
      answers: this.state,
      memory: this.memory,
      now: new Date(this.now).toISOString(),
      offLabel,
      policy: { mode: this.mode },
      ...(this.newRuleLimit === undefined ? {} : { newRuleLimit: this.newRuleLimit }),
    })
  }

  /** Whether the rules and the operator request it, without the code that is tested. */
  get isRequested(): boolean {
    const { labels, target_branch } = this.mergeRequest as { labels: string[]; target_branch: string }
    const isOff = labels.includes(offLabel) && this.offBy === developer
    const mayBe = this.#file.trust === 'operator' || target_branch === 'main'
    const isStopped = labels.includes('hold') || labels.includes('stop')
    return this.mode === 'act' && !isOff && mayBe && this.docs && !this.swapped && !isStopped
  }

  get isApproved(): boolean {
    return this.state.approvals?.ok === true && (this.state.approvals.body as Fields).user_has_approved === true
  }

  get isWaiting(): boolean {
    return this.mergeRequest.merge_when_pipeline_succeeds === true
  }
}

const usedUp = (path: string): NewRuleLimit => ({
  perHour: 1,
  newRules: ['note', 'docs', 'ready', 'stop'].map((name) => `${path}#${name}`),
  full: Object.fromEntries(['approve', 'accept', 'comment'].map((name) => [name, '2026-02-01T00:00:00Z'])),
})

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
          if (simulation.isApproved && simulation.isWaiting) stood += 1
          for (const { move, settles } of sequence) {
            simulation.move(move)
            if (!settles) continue
            simulation.settle()
            if (!simulation.isRequested) expect([simulation.isApproved, simulation.isWaiting]).toEqual([false, false])
          }
        },
      ),
      { numRuns: 1_500 },
    )
    expect(stood).toBeGreaterThan(0)
  }, 240_000)

  it('are withdrawn from an author who edits the title seven times and then changes the target', () => {
    const simulation = new Simulation(files.repository)
    simulation.settle()
    expect([simulation.isApproved, simulation.isWaiting]).toEqual([true, true])
    for (let edit = 1; edit <= 7; edit += 1) {
      simulation.move({ does: 'edit', title: `Title ${edit}` })
      simulation.move({ does: 'wait', ms: 1_500 })
      simulation.settle()
    }
    simulation.move({ does: 'retarget', to: 'production' })
    simulation.settle()
    expect([simulation.isApproved, simulation.isWaiting]).toEqual([false, false])
  })
})
