// What the merge queue tests, lands and removes next.

import type { PipelineStatus } from '../../src/merge-queue/observed.ts'
import { removeEntry } from '../../src/merge-queue/operate.ts'
import { isIdle, plan } from '../../src/merge-queue/plan.ts'
import type { VoidCause } from '../../src/merge-queue/types.ts'
import { minute, QueueWorld } from './queue-world.ts'

const paused = (world: QueueWorld) =>
  Object.assign(world, { record: { ...world.record, paused: { reason: 'by_operator', since: 0 } } })

describe('builds', () => {
  test('each one is tested on top of those before it, as many as the window allows', () => {
    const world = new QueueWorld().enter(1, 2, 3).settle()
    expect(world.chain()).toBe('1 | 2')
    expect([...world.branches.values()].map(({ tree }) => tree)).toEqual(['T+1@h1', 'T+1@h1+2@h2'])
  })

  test('the window grows with each landing up to its limit, and halves when one fails', () => {
    const world = new QueueWorld({ speculate: { least: 1, most: 3 } }).enter(1, 2, 3, 4, 5).settle()
    for (const iid of ['1', '2', '3']) world.pipeline(iid, 'success').settle()
    expect(world.record.window).toBe(3)
    world.ends('4', 'failed', 2)
    expect(world.record.window).toBe(1)
  })

  test('the next by priority, then by time; a minute of waiting is a point', () => {
    const world = new QueueWorld({ speculate: { least: 3, most: 3 } }).enter(1).after(5).enter(2, 3, 4)
    world.change(3, { priority: 4 }).change(4, { priority: 6 }).settle()
    expect(world.chain()).toBe('4 | 1 | 3')
  })

  test('a red build runs its failed jobs again first, and is a new commit where the service refuses that, or after it', () => {
    function red(retries: number, refusesRetries = false): QueueWorld {
      const world = Object.assign(new QueueWorld({ retries }).enter(1).settle(), { refusesRetries })
      for (const branch of world.branches.values()) branch.hasJobs = true
      return world.ends('1', 'failed')
    }
    const attempts = ({ record: { builds } }: QueueWorld) => builds[0]?.attempts.map(({ retried }) => retried)
    expect(attempts(red(1))).toEqual([true])
    expect(red(1).ends('1', 'success').log).toEqual(['landed 1'])
    expect(red(1).ends('1', 'failed').record.removals).toHaveLength(1)
    expect(attempts(red(2).ends('1', 'failed'))).toEqual([true, undefined])
    expect(attempts(red(1, true))).toEqual([false, undefined])
    expect(red(0).record.removals).toHaveLength(1)
  })

  test('red builds behind one whose failed jobs run again wait for that', () => {
    const world = new QueueWorld({ speculate: { least: 3, most: 3 } }).enter(1, 2, 3).settle()
    for (const branch of world.branches.values()) Object.assign(branch, { hasJobs: true, pipeline: 'failed' })
    const retried = world.settle().record.builds.map(({ attempts }) => attempts.map((each) => each.retried))
    expect(retried).toEqual([[true], [undefined], [undefined]])
  })

  test('builds that were made in one run are each based on the one before', () => {
    const world = new QueueWorld().enter(1, 2)
    const first = world.plan()
    const made = (number: number) =>
      ({ is: 'made', commit: `b${number}`, tree: `t${number}`, pipeline: 'running' }) as const
    const attempts = new Map([
      [1, made(1)],
      [2, made(2)],
    ])
    const { builds } = plan(first.record, { ...world.observe(), attempts }, world.settings, 0).record
    expect(builds.map(({ base }) => base?.commit)).toEqual(['c0', 'b1'])
  })

  test.each([
    ['Commit must be signed with a GPG key', 'signed_commits'],
    ['You are not allowed to push', 'branch_refused'],
  ])('a service that says %j pauses the queue, with its words', (words, reason) => {
    const world = new QueueWorld().enter(1).settle()
    world.found.set(1, { is: 'refused', words })
    expect(world.settle().record.paused).toMatchObject({ reason, words })
  })

  test('a build after a red one of its member says so', () => {
    const repeats = (world: QueueWorld) =>
      world.plan().steps.flatMap((step) => (step.do === 'build' ? [step.isRepeated] : []))
    expect(repeats(new QueueWorld().enter(1))).toEqual([undefined])
    const red = new QueueWorld({ retries: 1 }).enter(1).settle().pipeline('1', 'failed')
    expect(repeats(red)).toEqual([true])
    const removed = red.settle().ends('1', 'failed').leave(1).settle()
    expect(repeats(removed.enter(1))).toEqual([true])
  })

  test('one that preempts goes before builds that run, but not before one that is green or preempts too', () => {
    const world = new QueueWorld().enter(1, 2).settle().enter(3).change(3, { preempts: true, priority: -9 })
    expect(world.settle().chain()).toBe('3 | 1')
    expect(world.voided).toEqual(['preempted', 'preempted'])
    expect(world.enter(4).change(4, { preempts: true }).settle().chain()).toBe('3 | 4')
    const green = QueueWorld.green({}, 2).enter(3).change(3, { preempts: true }).settle()
    expect([green.log, green.chain()]).toEqual([['landed 1'], '3 | 2'])
    const frozen = new QueueWorld().enter(1).settle().enter(2).change(2, { preempts: true, frozen: true })
    expect(frozen.settle().chain()).toBe('1 | 2')
  })

  test('a batch is filled, or begins when its first member waited long enough', () => {
    const batch = { most: 3, waitMs: 10 * minute }
    const world = new QueueWorld({ land: 'push', batch }).enter(1, 2).settle()
    expect([world.chain(), world.changesAt]).toEqual(['', 10 * minute])
    expect(world.after(10).settle().chain()).toBe('1,2')
    expect(new QueueWorld({ land: 'push', batch }).enter(1, 2, 3, 4).settle().chain()).toBe('1,2,3')
    expect(new QueueWorld({ land: 'accept', batch: { most: 3, waitMs: 0 } }).enter(1, 2).settle().chain()).toBe('1 | 2')
  })

  test('branches that no build uses are discarded, and no number is used twice after the record was lost', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    world.record = { ...new QueueWorld().record }
    world.settle()
    expect([...world.branches.keys()]).toEqual([3, 4])
  })

  test('a repository that cannot be read pauses the queue, which keeps what it built, and settles its landing later', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    world.nextLanding = 'is_lost_but_landed'
    world.pipeline('1', 'success').step()
    world.unreadable = 'repository_refused'
    expect([world.settle().chain(), world.changesAt]).toEqual(['1 | 2', 5 * minute])
    world.unreadable = undefined
    expect([world.settle().chain(), world.log]).toEqual(['2', ['landed 1', 'repository_refused']])
    // It can be read by now.
    expect(world.pipeline('2', 'success').settle().log.at(-1)).toBe('landed 2')
  })

  test('a repository that git cannot fetch pauses the queue until somebody resumes it', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    world.unreadable = 'repository_not_fetched'
    expect([world.settle().chain(), world.changesAt]).toEqual(['1 | 2', undefined])
    world.unreadable = undefined
    expect(world.settle().log).toEqual(['repository_not_fetched'])
    expect(world.record.paused?.reason).toBe('repository_not_fetched')
  })

  test('a landing that other settings requested is settled, and nothing else is done meanwhile', () => {
    const world = new QueueWorld({ speculate: { least: 1, most: 1 } }).enter(1, 2).settle()
    world.nextLanding = 'is_lost_but_landed'
    world.pipeline('1', 'success').step()
    world.settlesOnly = true
    world.settle()
    expect([world.record.landing, world.chain(), [...world.branches.keys()]]).toEqual([undefined, '', [1]])
    world.settlesOnly = undefined
    expect([world.settle().chain(), [...world.branches.keys()]]).toEqual(['2', [2]])
  })

  test('a branch that the service does not let the bot delete pauses the queue, once', () => {
    const world = new QueueWorld().enter(1, 2).settle().leave(1)
    world.refusesDeletions = true
    expect(world.settle().settle().log).toEqual(['branch_refused'])
  })

  test('of hundreds of branches that no build uses, a plan discards a few, after what lands', () => {
    const world = QueueWorld.green({ speculate: { least: 1, most: 1 } })
    const branch = { commit: 'x', tree: 'x', onto: 'x', pipeline: 'success' as const }
    for (let number = 1_000; number < 1_200; number += 1) world.branches.set(number, branch)
    const { steps, record } = world.plan()
    expect(steps.map((step) => step.do)).toEqual(['land', 'discard'])
    const discarded = steps.flatMap((step) => ('attempts' in step ? step.attempts : []))
    expect([discarded.length, record.discarding]).toEqual([20, true])
    expect([...world.settle().branches.keys()]).toEqual([])
  })

  test('while a branch is in the way the queue is paused with its name, tries none, and looks every five minutes', () => {
    const world = new QueueWorld().enter(1)
    world.inTheWay = 'bellhop'
    world.settle()
    expect(world.record.paused).toEqual({ reason: 'branch_in_the_way', since: 0, branch: 'bellhop' })
    expect(world.branches.size).toBe(0)
    world.wait(60)
    expect(world.log).toEqual(['branch_in_the_way'])
    world.inTheWay = undefined
    expect(world.wait(5).pipeline('1', 'success').settle().log.at(-1)).toBe('landed 1')
  })

  test('a branch that is in the way again and again notifies every five minutes at most', () => {
    const world = new QueueWorld().enter(1)
    for (let minutes = 0; minutes < 20; minutes += 1) {
      world.inTheWay = minutes % 2 === 0 ? 'bellhop/queue' : undefined
      world.settle().after(1)
    }
    expect(world.log.length).toBeLessThanOrEqual(4)
  })

  test.each<[string, (world: QueueWorld, number: number) => unknown]>([
    ['pushes to', (world, number) => world.pushToBranch(number)],
    ['deletes', (world, number) => world.branches.delete(number)],
  ])(
    'while somebody %s its branches again and again the queue pauses, and tries once every five minutes',
    (_what, change) => {
      const world = new QueueWorld({ speculate: { least: 1, most: 1 } }).enter(1).settle()
      const changeNewest = () => {
        change(world, world.record.builds[0]?.attempts[0]?.number ?? 0)
        world.settle()
      }
      for (let times = 0; times < 4; times += 1) changeNewest()
      expect([world.log, world.record.changed]).toEqual([[], 4])
      changeNewest()
      expect([world.log, world.chain()]).toEqual([['branches_changed'], ''])
      world.wait(5)
      changeNewest()
      expect([world.log.length, world.chain()]).toEqual([2, ''])
      expect(world.wait(5).pipeline('1', 'success').settle().log.at(-1)).toBe('landed 1')
      // What lands shows that the branches before it were left alone.
      expect(world.record.changed).toBeUndefined()
    },
  )

  test('the first branch of a build stays although its pipeline takes too long and is canceled, and is made anew where somebody deletes it', () => {
    const world = new QueueWorld({ land: 'push', timeoutMs: minute }).enter(1).settle().after(1).settle()
    expect([...world.branches].map(([number, { pipeline }]) => `${number} ${pipeline}`)).toEqual([
      '1 failed',
      '2 running',
    ])
    world.pipeline('1', 'success')
    world.branches.delete(1)
    world.settle()
    expect([world.log, [...world.branches.keys()]]).toEqual([[], [3]])
  })

  test('the queue is idle only after the last branch is gone, although the process ended before it was', () => {
    const world = QueueWorld.green()
    world.step()
    world.step(0)
    expect([world.log, world.branches.size, isIdle(world.record)]).toEqual([['landed 1'], 1, false])
    world.settle()
    expect([world.branches.size, isIdle(world.record)]).toEqual([0, true])
  })
})

describe('landing', () => {
  test('only the first lands, on what it was built on; those behind it stay although the commit is another one', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    world.pipeline('2', 'success').settle()
    expect(world.log).toEqual([])
    world.pipeline('1', 'success').settle()
    expect(world.log).toEqual(['landed 1', 'landed 2'])
    expect(world.target?.tree).toBe('T+1@h1+2@h2')
  })

  test('a push lands the tested commit, and the next one is built on it', () => {
    const world = new QueueWorld({ land: 'push' }).enter(1, 2).settle()
    const tested = [...world.branches.values()].at(-1)?.commit
    world.pipeline('1', 'success').pipeline('2', 'success').settle()
    expect(world.target?.commit).toBe(tested)
  })

  test('what has landed is not built again while its entry is still there', () => {
    const world = QueueWorld.green().settle()
    expect(world.log).toEqual(['landed 1'])
    expect(world.enter(1).settle().chain()).toBe('')
  })

  test('without its target the queue pauses, removes nobody, and goes on when the target is back and it is resumed', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    const { target } = world
    world.target = undefined
    world.settle()
    expect(world.log).toEqual(['target_missing'])
    expect(world.record).toMatchObject({ paused: { reason: 'target_missing' }, removals: [] })
    world.target = target
    world.settle()
    expect(world.log).toEqual(['target_missing'])
    const { paused: _, ...resumed } = world.record
    world.record = resumed
    world.settle().pipeline('1', 'success').settle()
    expect(world.log).toEqual(['target_missing', 'landed 1'])
  })

  test('a push to the target voids all builds', () => {
    const world = QueueWorld.green().pushToTarget().settle()
    expect([world.log, world.branches.get(2)?.tree]).toEqual([[], 'T+x+1@h1'])
  })

  test('a push to the target between the last look and the landing is seen afterwards', () => {
    const world = QueueWorld.green()
    world.step(0)
    const { landing } = world.record
    world.pushToTarget()
    if (landing !== undefined) world.carryOut({ do: 'land', landing })
    expect(world.settle().record.paused?.reason).toBe('unverified_landing')
  })

  test('a landing that was lost while the target moved is waited for, and compared where the service carries it out late', () => {
    const world = QueueWorld.sent('is_lost')
    const { landing } = world.record
    world.pushToTarget().after(1).settle()
    expect([world.record.landing, world.branches.size, world.changesAt]).toEqual([landing, 1, 2 * minute])
    expect(world.enter(2).step()).toBe(0)
    if (landing !== undefined) world.carryOut({ do: 'land', landing })
    expect(world.settle().record.paused?.reason).toBe('unverified_landing')
  })

  test('a landing that was lost while its member left is compared where the service carries it out late', () => {
    const world = QueueWorld.sent('is_lost')
    const { landing } = world.record
    world.leave(1).settle().pushToTarget()
    if (landing !== undefined) world.carryOut({ do: 'land', landing })
    expect(world.settle().record.paused?.reason).toBe('unverified_landing')
  })

  test('a landing that was never sent because the target moved is tested again at once', () => {
    const world = QueueWorld.sent('is_lost')
    world.landing = { is: 'unsent' }
    world.pushToTarget().settle()
    expect([world.record.landing, world.branches.get(2)?.tree]).toEqual([undefined, 'T+x+1@h1'])
  })

  test('a landing that was lost while the target moved is tested again after two minutes', () => {
    const world = QueueWorld.sent('is_lost')
    world.pushToTarget().settle().after(2).settle()
    expect([world.record.landing, world.log, world.branches.get(2)?.tree]).toEqual([undefined, [], 'T+x+1@h1'])
  })

  test.each<[string, (world: QueueWorld) => QueueWorld, string[]]>([
    ['an operator paused the queue', paused, []],
    ['its pipeline failed since: it leaves', (world) => world.ends('1', 'failed').after(2), ['1: pipeline_failed']],
    ['a freeze began', (world) => world.change(1, { frozen: true }), []],
    [
      'a freeze began and ended: it lands',
      (world) => world.change(1, { frozen: true }).settle().change(1, { frozen: false }),
      ['landed 1'],
    ],
  ])('not again where the response was lost and %s', (_case, happen, log) => {
    expect(happen(QueueWorld.sent('is_lost', { retries: 0 })).settle().log).toEqual(log)
  })

  test('is settled in the way in which it was requested, whatever the settings say by now', () => {
    const world = QueueWorld.green({ land: 'push' })
    world.step(0)
    world.settings.land = 'accept'
    expect(world.record.landing?.by).toBe('push')
  })

  test.each([
    ['is_lost', ['landed 1'], ''],
    ['is_lost_but_landed', ['landed 1'], ''],
    ['refuses_project', ['landing_refused'], '1'],
    ['refuses_merge_request', ['1: landing_refused'], ''],
    ['lies', ['landed 1', 'unverified_landing'], ''],
  ] as const)('where the service or its response %s', (nextLanding, log, chain) => {
    const world = QueueWorld.sent(nextLanding).settle()
    expect([world.log, world.chain()]).toEqual([log, chain])
  })

  test('that is not what was tested is said although the queue is paused already', () => {
    const world = paused(QueueWorld.sent('lies'))
    expect(world.settle().record.paused?.reason).toBe('unverified_landing')
    expect(world.log).toEqual(['landed 1', 'unverified_landing'])
  })

  test.each<[string, (world: QueueWorld) => unknown]>([
    ['it is frozen', (world) => world.change(1, { frozen: true })],
    ['landing is held', (world) => Object.assign(world, { holdsLanding: true })],
    ['it has another head', (world) => world.change(1, { head: 'other' })],
    ['it left', (world) => world.leave(1)],
    ['its pipeline runs again', (world) => world.pipeline('1', 'running')],
    [
      'its branch has another commit',
      (world) => world.branches.set(1, { commit: 'evil', tree: 'evil', onto: 'T', pipeline: 'success' }),
    ],
    ['its branch is gone', (world) => world.branches.delete(1)],
    ['the queue is paused', paused],
    ['the target is gone', (world) => Object.assign(world, { target: undefined })],
  ])('nothing lands where %s', (_, happen) => {
    const world = QueueWorld.green()
    happen(world)
    expect(world.settle().log.filter((line) => line.startsWith('landed'))).toEqual([])
  })
})

describe('failures', () => {
  test('a failed build is tested once more, with another commit of the same tree', () => {
    const world = new QueueWorld().enter(1).settle().pipeline('1', 'failed').settle()
    expect([...world.branches.values()].map(({ tree }) => tree)).toEqual(['T+1@h1', 'T+1@h1'])
    expect(world.pipeline('1', 'success').settle().log).toEqual(['landed 1'])
  })

  test('red twice at the front: it leaves, and those behind it are built without it', () => {
    const world = new QueueWorld().enter(1, 2).settle().ends('1', 'failed', 2)
    expect([world.log, world.chain()]).toEqual([['1: pipeline_failed'], '2'])
    expect(world.pipeline('2', 'success').settle().log).toEqual(['1: pipeline_failed', 'landed 2'])
  })

  test('red behind a running build waits, because the one before it may be the cause', () => {
    const world = new QueueWorld().enter(1, 2).settle().ends('2', 'failed', 2)
    expect([world.log, world.chain()]).toEqual([[], '1 | 2'])
    world.ends('1', 'failed', 2).pipeline('2', 'success').settle()
    expect(world.log).toEqual(['1: pipeline_failed', 'landed 2'])
  })

  test('red behind one that is tested once more: it is not tested again before that ends', () => {
    const world = new QueueWorld().enter(1, 2).settle().pipeline('1', 'failed').pipeline('2', 'failed').settle()
    expect([world.chain(), world.branches.size]).toEqual(['1 | 2', 3])
    world.pipeline('1', 'success').settle()
    expect([world.log, world.branches.size]).toEqual([['landed 1'], 2])
    expect(world.pipeline('2', 'success').settle().log).toEqual(['landed 1', 'landed 2'])
  })

  test('red on top of one that landed: it leaves', () => {
    const world = new QueueWorld().enter(1, 2).settle().ends('2', 'failed', 2)
    expect(world.pipeline('1', 'success').settle().log).toEqual(['landed 1', '2: pipeline_failed'])
  })

  test('a red batch is divided until the one that fails is alone', () => {
    const world = new QueueWorld({ land: 'push', batch: { most: 4, waitMs: 0 }, retries: 0 }).enter(1, 2, 3, 4).settle()
    world.pipeline('1,2,3,4', 'failed').settle()
    expect(world.chain()).toBe('1,2 | 3,4')
    world.pipeline('1,2', 'success').pipeline('3,4', 'failed').settle()
    expect(world.chain()).toBe('3 | 4')
    world.pipeline('3', 'failed').settle().pipeline('4', 'success').settle()
    expect(world.log).toEqual(['landed 1,2', '3: pipeline_failed', 'landed 4'])
  })

  test('both halves of a red batch green: all land', () => {
    const world = new QueueWorld({ land: 'push', batch: { most: 2, waitMs: 0 }, retries: 0 }).enter(1, 2).settle()
    world.pipeline('1,2', 'failed').settle().pipeline('1', 'success').pipeline('2', 'success').settle()
    expect(world.log).toEqual(['landed 1', 'landed 2'])
  })

  test('a conflict with the target removes it; with another one in the queue it waits for that one', () => {
    const world = new QueueWorld({ conflicts: ['1+2'] }).enter(1, 2, 3).settle()
    expect(world.chain()).toBe('1 | 3')
    world.pipeline('1', 'success').pipeline('3', 'success').settle()
    expect(world.log).toEqual(['landed 1', 'landed 3', '2: conflict'])
  })

  test('a conflict of the first one is one with the target, whatever the service says', () => {
    const world = new QueueWorld().enter(1)
    world.step(0)
    const member = { iid: 1, head: 'h1' }
    world.found.set(1, { is: 'conflict', member, with: 'queue' })
    expect(world.settle().log).toEqual(['1: conflict'])
  })

  test('a conflict is forgotten when its member leaves', () => {
    const world = new QueueWorld({ conflicts: ['1+2'] }).enter(1, 2).settle()
    expect(world.record.conflicts).toHaveLength(1)
    expect(world.leave(2).settle().record.conflicts).toEqual([])
  })

  test('a conflict with one that left is none', () => {
    const world = new QueueWorld({ conflicts: ['1+2'] }).enter(1, 2).settle().leave(1).settle()
    expect(world.pipeline('2', 'success').settle().log).toEqual(['landed 2'])
  })

  test.each([
    ['none', 10, 'no_pipeline'],
    ['partial', 90, 'status_missing'],
    // Bellhop starts one, and that is skipped too.
    ['skipped', 0, '1: pipeline_skipped'],
    ['running', 180, '1: pipeline_timeout'],
    ['manual', 180, '1: pipeline_timeout'],
  ] as const)('a pipeline that stays %s', (status, minutes, log) => {
    const world = new QueueWorld({ speculate: { least: 1, most: 1 } })
      .enter(1, 2)
      .settle()
      .pipeline('1', status)
      .settle()
    for (let passed = 0; passed < minutes; passed += 10) world.after(10).settle()
    expect([world.log, world.chain()]).toEqual([[log], log.startsWith('1: ') ? '2' : '1'])
  })

  test('a skipped pipeline is followed by one that Bellhop starts, which counts', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    world.startsAre = 'success'
    expect(world.pipeline('1', 'skipped').settle().log).toEqual(['landed 1'])
    world.startsAre = 'failed'
    world.pipeline('2', 'skipped').settle()
    expect(world.pipeline('2', 'success').settle().log).toEqual(['landed 1', 'landed 2'])
  })

  test('frozen ones let the others pass', () => {
    const world = new QueueWorld().enter(1).change(1, { frozen: true }).settle().enter(2).settle()
    expect(world.chain()).toBe('1')
    expect(world.wait(1).chain()).toBe('2 | 1')
    expect(world.pipeline('2', 'success').pipeline('1', 'success').settle().log).toEqual(['landed 2'])
    expect(world.change(1, { frozen: false }).settle().log).toEqual(['landed 2', 'landed 1'])
  })
})

describe('many entries', () => {
  const drain = (world: QueueWorld, status: (run: number) => PipelineStatus = () => 'success') => {
    let runs = 0
    for (let turn = 0; turn < 5_000 && world.record.builds.length > 0; turn += 1) {
      for (const branch of world.branches.values()) if (branch.pipeline === 'running') branch.pipeline = status(++runs)
      world.settle()
    }
    return runs
  }

  test('500 at once: never more builds than the window allows, and all land in their order', () => {
    const iids = Array.from({ length: 500 }, (_, index) => index + 1)
    const world = new QueueWorld({ speculate: { least: 2, most: 8 } }).enter(...iids).settle()
    expect([world.branches.size, drain(world)]).toEqual([2, 500])
    expect(world.log).toEqual(iids.map((iid) => `landed ${iid}`))
  })

  test('where every second pipeline fails by chance, each one lands or leaves after few pipelines', () => {
    const iids = Array.from({ length: 20 }, (_, index) => index + 1)
    const world = new QueueWorld({ retries: 1 }).enter(...iids).settle()
    const runs = drain(world, (run) => (run % 2 === 0 ? 'failed' : 'success'))
    expect(runs).toBeLessThanOrEqual(iids.length * 4)
    const landed = iids.filter((iid) => world.log.includes(`landed ${iid}`))
    const left = iids.filter((iid) => world.log.includes(`${iid}: pipeline_failed`))
    expect(landed.length).toBeGreaterThan(iids.length / 2)
    expect([...landed, ...left].toSorted((a, b) => a - b)).toEqual(iids)
  })

  test('two hotfixes go first, in their order; one of low priority lands although others keep coming', () => {
    const world = new QueueWorld({ speculate: { least: 1, most: 1 } }).enter(1, 2, 3, 4).change(1, { priority: -10 })
    world.change(3, { priority: 100 }).change(4, { priority: 100 }).settle()
    for (let iid = 5; iid < 40 && world.chain() !== '1'; iid += 1) {
      world.pipeline(world.chain(), 'success').after(1).enter(iid).settle()
    }
    expect(world.log).toEqual([
      'landed 3',
      'landed 4',
      'landed 2',
      ...[5, 6, 7, 8, 9, 10, 11, 12, 13].map((iid) => `landed ${iid}`),
    ])
    expect(world.chain()).toBe('1')
  })
})

describe('builds whose tests were wasted', () => {
  test.each<[string, (world: QueueWorld) => void, VoidCause[]]>([
    ['somebody pushes to the target', (world) => world.pushToTarget(), ['target_moved', 'target_moved']],
    ['the first one leaves', (world) => world.leave(1), ['entry_left', 'entry_left']],
    ['the second one leaves', (world) => world.leave(2), ['entry_left']],
    ['an operator removes the second', (world) => Object.assign(world, { record: removed(world, 2) }), ['removed']],
    ['a branch is deleted', (world) => world.branches.delete(2), ['branch_changed']],
    [
      'the first one is red',
      (world) => world.pipeline('1', 'failed').settle().pipeline('1', 'failed'),
      ['failed_ahead'],
    ],
    ['a freeze of the first begins', (world) => world.change(1, { frozen: true }), ['frozen', 'frozen']],
    [
      'another state landed',
      (world) => Object.assign(world.pipeline('1', 'success'), { nextLanding: 'lies' }),
      ['unverified_landing'],
    ],
    ['both land', (world) => world.pipeline('1', 'success').pipeline('2', 'success'), []],
  ])('are counted by cause: %s', (_name, change, causes) => {
    const world = new QueueWorld({ retries: 1 }).enter(1, 2).settle()
    change(world)
    expect(world.settle().wait(1).voided).toEqual(causes)
  })

  test('a freeze begins and ends for one entry after the other: no build is dropped', () => {
    const world = new QueueWorld().enter(1, 2, 3).settle()
    for (const iid of [1, 2, 3]) world.change(iid, { frozen: true }).settle().wait(0.03)
    for (const iid of [3, 2, 1]) world.change(iid, { frozen: false }).settle().wait(0.03)
    expect([world.voided, world.chain()]).toEqual([[], '1 | 2'])
  })

  const removed = ({ record }: QueueWorld, iid: number) => removeEntry(record, { iid, head: `h${iid}` }, 0)
})
