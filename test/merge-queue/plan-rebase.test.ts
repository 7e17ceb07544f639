// What the merge queue does where the service rebases each merge request (`test: rebase`).
import type { Landing, MergeQueueStep } from '../../src/merge-queue/types.ts'
import { QueueWorld } from './queue-world.ts'

/** A commit stands for its tree. A rebased head is another entry, which comes back when its pipeline is green. */
class RebaseWorld extends QueueWorld {
  constructor(retries = 0) {
    super({ test: 'rebase', speculate: { least: 1, most: 1 }, retries })
    this.target = { commit: 'c0', tree: 'c0' }
  }

  protected override build({ attempt, members, onto }: MergeQueueStep & { do: 'build' }): void {
    const [member] = members
    if (member === undefined) return
    // A further attempt rebases nothing.
    const commit = attempt === 1 ? `${member.head} on ${onto}` : member.head
    this.branches.clear()
    this.branches.set(attempt, { commit, tree: commit, onto, pipeline: 'running' })
    this.leave(member.iid)
  }

  protected override move(landing: Landing): void {
    this.landing = { is: 'landed', tree: landing.tree, onto: landing.from.commit }
    this.target = { commit: landing.commit, tree: landing.tree }
    for (const { iid } of landing.members) this.leave(iid)
    this.log.push(`landed ${landing.commit}`)
  }

  comeBack(iid: number): this {
    const head = [...this.branches.values()].at(-1)?.commit ?? ''
    this.entries.push({ iid, head, since: this.now, priority: 0, frozen: false })
    return this
  }
}

describe('a rebased entry', () => {
  test('keeps its place while its pipeline runs, and lands when it comes back', () => {
    const world = new RebaseWorld().enter(1).settle().enter(2).settle()
    expect([world.chain(), world.log]).toEqual(['1', []])
    expect(world.pipeline('1', 'success').settle().log).toEqual([])
    expect(world.comeBack(1).settle().log).toEqual(['landed h1 on c0'])
    expect(world.chain()).toBe('2')
  })

  test('that does not come back although its pipeline is green makes way after a minute', () => {
    const world = new RebaseWorld().enter(1).settle().enter(2).pipeline('1', 'success').settle()
    expect([world.chain(), world.changesAt]).toEqual(['1', 60_000])
    expect(world.after(1).settle().chain()).toBe('2')
    expect(world.log).toEqual([])
  })

  test('is tested again after a failure, by the same head, and leaves when that fails too', () => {
    const world = new RebaseWorld(1).enter(1).settle().pipeline('1', 'failed').settle()
    expect([...world.branches]).toMatchObject([[2, { commit: 'h1 on c0', pipeline: 'running' }]])
    expect(world.pipeline('1', 'failed').settle().log).toEqual(['1: pipeline_failed'])
    expect(world.chain()).toBe('')
  })

  test.each<[string, (world: RebaseWorld) => unknown]>([
    ['the target moves', (world) => world.pushToTarget()],
    ['somebody pushes to it', (world) => world.found.set(1, { is: 'foreign' }) && world.branches.clear()],
    ['the rebase was interrupted', (world) => world.branches.clear()],
  ])('makes way when %s', (_, happen) => {
    const world = new RebaseWorld().enter(1).settle().enter(2)
    happen(world)
    expect(world.settle().chain()).toBe('2')
  })

  test('that nobody may rebase leaves with the reason', () => {
    const world = new RebaseWorld().enter(1)
    world.step(0)
    world.found.set(1, { is: 'untestable', members: [{ iid: 1, head: 'h1' }], reason: 'rebase_refused' })
    expect(world.settle().log).toEqual(['1: rebase_refused'])
  })
})
