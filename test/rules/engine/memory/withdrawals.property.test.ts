// Whatever an author does, at rest no approval or waiting merge of Bellhop's stands that the rules in force do not ask for.
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

const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('edit' as const), title: fc.string({ maxLength: 5 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('label' as const),
      name: fc.constantFrom('hold', 'ready', 'stop', offLabel),
      on: fc.boolean(),
      by: fc.constantFrom(developer, guest),
    }),
  },
  // Often enough for the loop guard to pause.
  { weight: 8, arbitrary: fc.constant({ does: 'label' as const, name: 'ready', on: false, by: developer }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('push' as const),
      to: fc.constantFrom(head, 'b'.repeat(40)),
      docs: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('retarget' as const), to: fc.constantFrom('main', 'production') }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('draft' as const), on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('pipeline' as const),
      status: fc.constantFrom('running', 'failed', 'manual', 'skipped'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1_500, 60_000, 700_000) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('lose' as const), applied: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('mode' as const),
      mode: fc.constantFrom('act' as const, 'act' as const, 'observe' as const, 'off' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('limit' as const), full: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('break' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('swap' as const), on: fc.boolean() }) },
)
type Fields = Record<string, unknown>

/** One merge request on a service that keeps approvals and waiting merges over pushes and changes of the target. */
class Played {
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
      this.memory = remember(this.memory, { ...decision, responses: responses })
      if (decision.calls.length === 0) return
    }
    throw new Error('it does not come to rest')
  }

  #given(): DecideInput {
    return input([{ ...this.#file, broken: this.broken }], {
      ...{
        answers: this.state,
        memory: this.memory,
        now: new Date(this.now).toISOString(),
        offLabel,
        policy: { mode: this.mode },
      },
      ...(this.newRuleLimit === undefined ? {} : { newRuleLimit: this.newRuleLimit }),
    })
  }

  /** What the rules and the operator ask for, said without the code that is tested. */
  get isAskedFor(): boolean {
    const { labels, target_branch } = this.mergeRequest as { labels: string[]; target_branch: string }
    const isOff = labels.includes(offLabel) && this.offBy === developer
    const mayBe = this.#file.trust === 'operator' || target_branch === 'main'
    return (
      this.mode === 'act' &&
      !isOff &&
      mayBe &&
      this.docs &&
      !this.swapped &&
      !labels.includes('hold') &&
      !labels.includes('stop')
    )
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
  it('stand at rest only while a rule asks for them, whatever was edited, labelled, pushed and retargeted', () => {
    let stood = 0
    fc.assert(
      fc.property(
        fc.constantFrom('repository' as const, 'operator' as const),
        fc.array(fc.record({ move: moves, settles: fc.boolean() }), { minLength: 1, maxLength: 40 }),
        fc.constantFrom(undefined, { applied: true }, { applied: false }),
        (trust, sequence, loses) => {
          const played = new Played(files[trust])
          played.loses = loses
          played.settle()
          if (played.isApproved && played.isWaiting) stood += 1
          for (const { move, settles } of sequence) {
            played.move(move)
            if (!settles) continue
            played.settle()
            if (!played.isAskedFor) expect([played.isApproved, played.isWaiting]).toEqual([false, false])
          }
        },
      ),
      { numRuns: 1_500 },
    )
    // What is tested was there to be taken back.
    expect(stood).toBeGreaterThan(0)
  }, 240_000)

  it('is taken back from an author who edits the title seven times and then changes the target', () => {
    const played = new Played(files.repository)
    played.settle()
    expect([played.isApproved, played.isWaiting]).toEqual([true, true])
    for (let edit = 1; edit <= 7; edit += 1) {
      played.move({ does: 'edit', title: `Title ${edit}` })
      played.move({ does: 'wait', ms: 1_500 })
      played.settle()
    }
    played.move({ does: 'retarget', to: 'production' })
    played.settle()
    expect([played.isApproved, played.isWaiting]).toEqual([false, false])
  })
})
