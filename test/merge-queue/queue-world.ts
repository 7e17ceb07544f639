// A merge queue in a test: the real planner, and a service in memory that tests move by hand.

import type { AttemptState, Observed, PipelineStatus } from '../../src/merge-queue/observed.ts'
import { emptyRecord, plan } from '../../src/merge-queue/plan.ts'
import { defaultSettings } from '../../src/merge-queue/simulator/compare.ts'
import type {
  Entry,
  EntryRef,
  Landing,
  MergeQueuePlan,
  MergeQueueRecord,
  MergeQueueSettings,
  MergeQueueStep,
  VoidCause,
} from '../../src/merge-queue/types.ts'

export const minute = 60_000
interface QueueBranch {
  commit: string
  tree: string
  onto: string
  pipeline: PipelineStatus
  hasJobs?: true
  retried?: boolean
}

export interface QueueWorldOptions extends Partial<MergeQueueSettings> {
  /** Pairs that cannot be merged together, as `1+2`. */
  conflicts?: string[]
}

export class QueueWorld {
  record: MergeQueueRecord
  readonly settings: MergeQueueSettings
  readonly branches = new Map<number, QueueBranch>()
  readonly found = new Map<number, AttemptState>()
  /** What the planner had notified and removed. */
  readonly log: string[] = []
  entries: Entry[] = []
  now = 0
  target: { commit: string; tree: string } | undefined = { commit: 'c0', tree: 'T' }
  landing: Observed['landing']
  isTargetGreen = true
  holdsLanding = false
  unreadable: Observed['unreadable']
  settlesOnly: Observed['settlesOnly']
  refusesDeletions = false
  refusesRetries = false
  /** What happens to the next landing. */
  nextLanding: 'works' | 'is_lost' | 'is_lost_but_landed' | 'refuses_project' | 'refuses_merge_request' | 'lies' =
    'works'
  refusesNextBranch = false
  /** Merge requests whose heads the service does not give yet. */
  readonly late = new Set<number>()
  /** How often a build looked for heads in vain. */
  looks = 0
  changesAt: number | undefined
  /** The causes of all plans. */
  readonly voided: VoidCause[] = []
  /** A branch that is in the way of the queue's branches. */
  inTheWay: string | undefined
  private commits = 0
  /** The highest number of an attempt. */
  private highest = 0
  private readonly conflicts: readonly string[]

  constructor({ conflicts = [], ...settings }: QueueWorldOptions = {}) {
    // Numbers that tests can count with; `automatic.test.ts` is about the defaults.
    this.settings = { ...defaultSettings, speculate: { least: 2, most: 8 }, retries: 1, ...settings }
    this.record = emptyRecord()
    this.conflicts = conflicts
  }

  /** One whose first build is green, and which has not landed yet. */
  static green(options?: QueueWorldOptions, ...iids: number[]): QueueWorld {
    return new QueueWorld(options)
      .enter(1, ...iids)
      .settle()
      .pipeline('1', 'success')
  }

  /** One whose first landing was sent so, and whose outcome was not looked at. */
  static sent(nextLanding: QueueWorld['nextLanding'], options?: QueueWorldOptions): QueueWorld {
    const world = Object.assign(QueueWorld.green(options), { nextLanding })
    world.step()
    return world
  }

  enter(...iids: number[]): this {
    for (const iid of iids) this.entries.push({ iid, head: `h${iid}`, since: this.now, priority: 0, frozen: false })
    return this
  }

  leave(iid: number): this {
    this.entries = this.entries.filter((entry) => entry.iid !== iid)
    return this
  }

  change(iid: number, fields: Partial<Entry>): this {
    this.entries = this.entries.map((entry) => (entry.iid === iid ? { ...entry, ...fields } : entry))
    return this
  }

  /** The pipeline of the newest branch whose members end with these, as `1,2`. */
  pipeline(members: string, status: PipelineStatus): this {
    const build = this.record.builds.find((each) => each.members.map(({ iid }) => iid).join() === members)
    const branch = this.branches.get(build?.attempts.at(-1)?.number ?? 0)
    if (branch === undefined) throw new Error(`no build of ${members}: ${this.chain()}`)
    branch.pipeline = status
    return this
  }

  /** Its pipeline ends so, each time that it is tested, and all settles. */
  ends(members: string, status: PipelineStatus, times = 1): this {
    for (let time = 0; time < times; time += 1) this.pipeline(members, status).settle()
    return this
  }

  /** How the pipelines end that Bellhop starts. */
  startsAre: PipelineStatus = 'skipped'

  private end(attempt: number, how: { started?: number; retried?: boolean; pipeline: PipelineStatus }): void {
    Object.assign(this.branches.get(attempt) ?? {}, how)
  }

  private discard(attempt: number): void {
    if (this.refusesDeletions) this.found.set(attempt, { is: 'refused' })
    else this.branches.delete(attempt)
  }

  pushToTarget(tree = `${this.target?.tree}+x`): this {
    this.target = { commit: `c${++this.commits}`, tree }
    return this
  }

  /** Somebody else pushes to a branch of the queue. */
  pushToBranch(number: number): this {
    if (this.branches.delete(number)) this.found.set(number, { is: 'foreign' })
    return this
  }

  /** Another run goes on: what only the last one knew is to be found again. */
  restart(): this {
    for (const [number, { is }] of this.found) if (is !== 'foreign') this.found.delete(number)
    return this
  }

  /** Lets the time of the next look come, again and again. */
  wait(minutes: number): this {
    const ends = this.now + minutes * minute
    while (this.changesAt !== undefined && this.changesAt <= ends) {
      this.now = this.changesAt
      this.restart().settle()
    }
    this.now = ends
    return this
  }

  observe(): Observed {
    let number = this.highest
    const newNumber = () => ++number
    if (this.unreadable !== undefined)
      return { entries: this.entries, attempts: new Map(), newNumber, unreadable: this.unreadable }
    const made = [...this.branches].map(([number, { onto: _, ...branch }]): [number, AttemptState] => [
      number,
      { is: 'made', ...branch },
    ])
    const { target, entries, inTheWay, landing, holdsLanding, settlesOnly, isTargetGreen } = this
    const attempts = new Map([...made, ...this.found])
    return { target, isTargetGreen, entries, newNumber, inTheWay, attempts, landing, holdsLanding, settlesOnly }
  }

  plan(): MergeQueuePlan {
    return plan(this.record, this.observe(), this.settings, this.now)
  }

  /** Stores a plan, and carries out its first `most` steps. Returns how many there were. */
  step(most = Number.POSITIVE_INFINITY, planned = this.plan()): number {
    // The outcome of one landing is that of no other.
    if (planned.record.landing !== this.record.landing) this.landing = undefined
    this.record = planned.record
    const attempts = planned.record.builds.flatMap((build) => build.attempts)
    this.highest = Math.max(this.highest, ...attempts.map(({ number }) => number))
    this.changesAt = planned.changesAt
    this.voided.push(...planned.voided)
    for (const step of planned.steps.slice(0, most)) this.carryOut(step)
    return planned.steps.length
  }

  /** Until nothing is left to do. */
  settle(): this {
    for (let turn = 0; turn < 200; turn += 1) if (this.step() === 0) return this
    throw new Error(`it does not come to rest: ${this.chain()}`)
  }

  after(minutes: number): this {
    this.now += minutes * minute
    return this
  }

  /** The members of each build, as `1 | 2`. */
  chain(): string {
    return this.record.builds.map(({ members }) => members.map(({ iid }) => iid).join()).join(' | ')
  }

  carryOut(step: MergeQueueStep): void {
    if (step.do === 'build') this.build(step)
    if (step.do === 'retry')
      this.end(
        step.attempt,
        this.refusesRetries ? { retried: false, pipeline: 'failed' } : { retried: true, pipeline: 'running' },
      )
    if (step.do === 'cancel') this.end(step.attempt, { pipeline: 'failed' })
    if (step.do === 'start') this.end(step.attempt, { started: step.attempt, pipeline: this.startsAre })
    if (step.do === 'discard') for (const attempt of step.attempts) this.discard(attempt)
    if (step.do === 'land') this.land(step.landing)
    if (step.do === 'remove') this.log.push(`${step.removal.member.iid}: ${step.removal.reason}`)
    if (step.do === 'notify') this.log.push(step.paused.reason)
  }

  protected build({ attempt, onto, members }: MergeQueueStep & { do: 'build' }): void {
    const base = this.treeOf(onto)
    if (base === undefined) return
    if (this.refusesNextBranch) {
      this.refusesNextBranch = false
      this.found.set(attempt, { is: 'refused' })
      return
    }
    const late = members.filter(({ iid }) => this.late.has(iid))
    if (late.length > 0) {
      this.looks += 1
      this.found.set(attempt, { is: 'late', members: late, reason: 'head_missing' })
      return
    }
    let tree = base
    for (const member of members) {
      const conflict = this.conflictOf(tree, member)
      if (conflict !== undefined) {
        this.found.set(attempt, { is: 'conflict', member, with: conflict })
        return
      }
      tree = `${tree}+${member.iid}@${member.head}`
    }
    this.branches.set(attempt, { commit: `c${++this.commits}`, tree, onto: base, pipeline: 'running' })
  }

  private treeOf(commit: string): string | undefined {
    if (commit === this.target?.commit) return this.target.tree
    return [...this.branches.values()].find((branch) => branch.commit === commit)?.tree
  }

  private conflictOf(tree: string, { iid }: EntryRef): 'queue' | 'target' | undefined {
    const other = this.conflicts
      .map((pair) => pair.split('+').map(Number))
      .filter((pair) => pair.includes(iid))
      .map((pair) => pair.find((each) => each !== iid))
      .find((each) => tree.includes(`+${each}@`))
    if (other === undefined) return undefined
    return this.target?.tree.includes(`+${other}@`) ? 'target' : 'queue'
  }

  private land(landing: Landing): void {
    const how = this.nextLanding
    this.nextLanding = 'works'
    if (how === 'is_lost') return
    if (how === 'refuses_project') this.landing = { is: 'refused', because: 'project' }
    else if (how === 'refuses_merge_request') this.landing = { is: 'refused', because: 'merge_request' }
    else this.move(landing, how)
  }

  /** The service merges onto whatever the target is by then; a push needs the very commit. */
  protected move(landing: Landing, how: 'works' | 'is_lost_but_landed' | 'lies'): void {
    const { target } = this
    if (target === undefined) return
    if (this.settings.land === 'push' && target.commit !== landing.from.commit) return
    const added = landing.members.map(({ iid, head }) => `+${iid}@${head}`).join('')
    const tree = how === 'lies' ? `${target.tree}+?` : `${target.tree}${added}`
    this.landing = { is: 'landed', tree, onto: target.commit }
    this.target = { commit: this.settings.land === 'push' ? landing.commit : `c${++this.commits}`, tree }
    for (const { iid } of landing.members) this.leave(iid)
    this.log.push(`landed ${landing.members.map(({ iid }) => iid).join()}`)
  }
}
