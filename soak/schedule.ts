// A soak's steps, people's actions and faults, drawn from the seed alone: what the bot does changes none of them.
import type { Random } from './random.ts'

export type Person = 'alice' | 'bob' | 'renovate'
export const people: Record<Person, { access: 30 | 40 }> = {
  alice: { access: 30 },
  bob: { access: 40 },
  renovate: { access: 40 },
}

export type PipelineState = 'running' | 'success' | 'failed'
export type Command = 'log' | 'ping' | 'merge' | 'ship'

/** Something that people do to a merge request; `slot` numbers them in the order in which they are opened. */
export type MergeRequestAction =
  | {
      do: 'open'
      slot: number
      project: number
      author: Person
      documents: boolean
      labels: string[]
      draft: boolean
      target: Branch
    }
  | { do: 'push'; slot: number; by: Person; documents: boolean }
  | { do: 'pipeline'; slot: number; state: PipelineState; head: 'newest' | 'the one before' }
  | { do: 'label'; slot: number; add?: string; remove?: string }
  | { do: 'draft'; slot: number; draft: boolean }
  | { do: 'comment'; slot: number; by: Person }
  | { do: 'command'; slot: number; by: Person; word: Command }
  | { do: 'approve' | 'unapprove'; slot: number; by: Person }
  | { do: 'close' | 'reopen' | 'merge' | 'merge later'; slot: number }
  | { do: 'retarget'; slot: number; to: Branch }
  | { do: 'estimate'; slot: number; duration: string | null }

export type Action = MergeRequestAction | { do: 'push to master'; project: number } | { do: 'tag'; project: number }

export type Branch = 'master' | 'stable'

export const callFaults = ['500', '502', '503', '429', 'slow', 'lose_response', 'drop', 'half_body', 'stall'] as const
export const hookFaults = ['drop', 'double', 'hold'] as const
export const serverFaults = ['stop', 'hang'] as const

/** The servers that keep queue and journal. */
export type ServerFault = 'redis' | 'postgres'

/** Something that breaks; it heals `steps` steps later. */
export type Fault =
  | { break: 'kill' | 'terminate'; process: number; steps: number }
  | { break: 'freeze'; process: number; seconds: number; steps: number }
  | { break: 'calls'; do: (typeof callFaults)[number]; chance: number; steps: number }
  | { break: 'hooks'; do: (typeof hookFaults)[number]; chance: number; steps: number }
  | { break: ServerFault; do: (typeof serverFaults)[number]; steps: number }

export type FaultKind = Fault['break']
export const faultKinds: readonly FaultKind[] = ['kill', 'terminate', 'freeze', 'calls', 'hooks', 'redis', 'postgres']

export type Step = { act: Action } | { fault: Fault }

export interface ScheduleOptions {
  projects: number
  processes: number
  /** Faults that may come; none: a soak of people alone. */
  faults: readonly FaultKind[]
}

// As many merge requests are worked on at the same time.
const atWork = 10
// Of ten, so many are like most in a team: opened, perhaps pushed to, green and merged. The others make trouble.
const plainOfTen = 7
const plainActions = 4
// Then people turn to another one. Few enough of one kind that Bellhop does not take them for a fight (rules/flips.ts).
const actionsEach = 14
const togglesEach = 3
const failuresEach = 2
const stepsBetweenFaults = 12

interface Slot {
  slot: number
  author: Person
  actions: number
  toggles: number
  failures: number
  isPlain: boolean
}

/** Endless; the same seed and options give the same steps. */
export function* schedule(random: Random, options: ScheduleOptions): Generator<Step, never> {
  let slots: Slot[] = []
  let opened = 0
  for (let step = 1; ; step += 1) {
    if (options.faults.length > 0 && step % stepsBetweenFaults === 0) {
      yield { fault: nextFault(random, options) }
      continue
    }
    slots = slots.filter(({ actions, isPlain }) => actions < (isPlain ? plainActions : actionsEach))
    const opens = slots.length < atWork && (slots.length === 0 || random.chance(0.3))
    if (opens) {
      const slot = {
        slot: opened,
        author: anybody(random),
        actions: 0,
        toggles: 0,
        failures: 0,
        isPlain: random.chance(plainOfTen / 10),
      }
      yield { act: slot.isPlain ? openPlain(random, slot, options.projects) : open(random, slot, options.projects) }
      slots.push(slot)
      opened += 1
    } else if (random.chance(0.03)) {
      const project = random.below(options.projects)
      yield { act: random.chance(0.5) ? { do: 'tag', project } : { do: 'push to master', project } }
    } else {
      const slot = random.pick(slots)
      slot.actions += 1
      yield { act: slot.isPlain ? nextOfPlain(random, slot) : next(random, slot) }
    }
  }
}

const anybody = (random: Random): Person => random.pick(['alice', 'bob', 'renovate', 'renovate'])

function open(
  random: Random,
  { slot, author }: Pick<Slot, 'slot' | 'author'>,
  projects: number,
): Extract<Action, { do: 'open' }> {
  const labels = [
    ...(author === 'renovate' && random.chance(0.7) ? ['dependencies'] : []),
    ...(random.chance(0.3) ? ['automerge'] : []),
    ...(random.chance(0.2) ? ['ready'] : []),
    ...(random.chance(0.1) ? ['hold'] : []),
    ...(random.chance(0.05) ? ['red'] : []),
  ]
  const target = random.chance(0.9) ? 'master' : 'stable'
  return {
    do: 'open',
    slot,
    project: random.below(projects),
    author,
    documents: random.chance(0.4),
    labels,
    draft: random.chance(0.1),
    target,
  }
}

/** One that a rule merges as soon as its newest head is green. */
function openPlain(random: Random, { slot, author }: Pick<Slot, 'slot' | 'author'>, projects: number): Action {
  const labels = author === 'renovate' && random.chance(0.5) ? ['dependencies'] : ['automerge']
  return { ...open(random, { slot, author }, projects), labels, draft: false, target: 'master' }
}

/** Its last one is the success of what was pushed last. */
function nextOfPlain(random: Random, { slot, author, actions }: Slot): Action {
  const green: Action = { do: 'pipeline', slot, state: 'success', head: 'newest' }
  if (actions >= plainActions) return green
  switch (random.weighted(plainKinds)) {
    case 'push':
      return { do: 'push', slot, by: author, documents: random.chance(0.5) }
    case 'late success':
      return { do: 'pipeline', slot, state: 'success', head: 'the one before' }
    case 'running':
      return { do: 'pipeline', slot, state: 'running', head: 'newest' }
    case 'comment':
      return { do: 'comment', slot, by: anybody(random) }
    case 'green':
      return green
  }
}

const plainKinds = [
  ['push', 3],
  ['late success', 2],
  ['running', 2],
  ['comment', 1],
  ['green', 2],
] as const

const kinds = [
  ['push', 12],
  ['pipeline', 30],
  ['toggle', 14],
  ['take off', 4],
  ['off', 3],
  ['comment', 4],
  ['command', 22],
  ['approval', 6],
  ['close', 2],
  ['reopen', 3],
  ['merge', 1],
  ['merge later', 1],
  ['retarget', 3],
  ['estimate', 2],
] as const

function next(random: Random, given: Slot): Action {
  const { slot } = given
  const kind = random.weighted(kinds)
  switch (kind) {
    case 'push':
      return {
        do: 'push',
        slot,
        by: random.chance(0.7) ? given.author : anybody(random),
        documents: random.chance(0.5),
      }
    case 'pipeline':
      return pipeline(random, given)
    case 'toggle':
      return toggle(random, given)
    case 'take off':
      return { do: 'label', slot, remove: random.pick(['documentation', 'red']) }
    case 'off':
      return { do: 'label', slot, ...(random.chance(0.7) ? { add: 'bellhop::off' } : { remove: 'bellhop::off' }) }
    case 'comment':
      return { do: 'comment', slot, by: anybody(random) }
    case 'command':
      return { do: 'command', slot, by: random.pick(['alice', 'bob'] as const), word: random.weighted(commands) }
    case 'approval':
      return { do: random.chance(0.7) ? 'approve' : 'unapprove', slot, by: random.pick(['alice', 'bob'] as const) }
    case 'retarget':
      return { do: 'retarget', slot, to: random.pick(['master', 'stable']) }
    case 'estimate':
      return { do: 'estimate', slot, duration: random.chance(0.5) ? '1h' : null }
    case 'close':
    case 'reopen':
    case 'merge':
    case 'merge later':
      return { do: kind, slot }
    default:
      return kind satisfies never
  }
}

const commands = [
  ['log', 12],
  ['ping', 4],
  ['merge', 3],
  ['ship', 2],
] as const

function pipeline(random: Random, given: Slot): Action {
  const drawn = random.weighted([
    ['running', 3],
    ['success', 4],
    ['failed', 2],
  ] as const)
  if (drawn === 'failed') given.failures += 1
  const state = drawn === 'failed' && given.failures > failuresEach ? 'running' : drawn
  return { do: 'pipeline', slot: given.slot, state, head: random.chance(0.9) ? 'newest' : 'the one before' }
}

function toggle(random: Random, given: Slot): Action {
  const { slot } = given
  given.toggles += 1
  const kind = random.pick(['hold', 'ready', 'automerge', 'draft'] as const)
  const on = random.chance(0.5)
  if (given.toggles > togglesEach) return { do: 'comment', slot, by: 'alice' }
  if (kind === 'draft') return { do: 'draft', slot, draft: on }
  return { do: 'label', slot, ...(on ? { add: kind } : { remove: kind }) }
}

/** A process that ends costs more time than all else. */
const often = [
  ['calls', 5],
  ['hooks', 3],
  ['redis', 2],
  ['kill', 2],
  ['terminate', 1],
  ['freeze', 1],
  ['postgres', 2],
] as const
// A pause that locks outlast, and one that they do not.
const freezeSeconds = [
  [3, 3],
  [40, 1],
] as const

function nextFault(random: Random, { faults, processes }: ScheduleOptions): Fault {
  const kind = random.weighted(often.filter(([each]) => faults.includes(each)))
  const steps = 4 + random.below(12)
  switch (kind) {
    case 'kill':
    case 'terminate':
      return { break: kind, process: random.below(processes), steps }
    case 'freeze':
      return { break: kind, process: random.below(processes), seconds: random.weighted(freezeSeconds), steps }
    case 'calls':
      return { break: kind, do: random.pick(callFaults), chance: random.pick([0.1, 0.3, 0.6]), steps }
    case 'hooks':
      return { break: kind, do: random.pick(hookFaults), chance: random.pick([0.2, 0.5]), steps }
    case 'redis':
    case 'postgres':
      return { break: kind, do: random.pick(serverFaults), steps }
    default:
      return kind satisfies never
  }
}
