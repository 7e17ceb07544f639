// A hosting service in memory for the simulator: branches, pipelines and landings on a virtual clock.
import type { AttemptState, Observed } from '../observed.ts'
import type { EntryRef, Landing, MergeQueueSettings, MergeQueueStep } from '../types.ts'
import { randomFrom } from './random.ts'
import type { Workload } from './workload.ts'

interface Tree {
  id: string
  /** The merge requests in it, landed ones too. */
  members: readonly number[]
  bad: boolean
}

interface Branch {
  commit: string
  tree: Tree
  /** The tree that it was built on. */
  onto: string
  /** How long its pipeline takes, once a runner is free. */
  takes: number
  begins: number
  ends: number
  /** What its pipeline says at its end. */
  green: boolean
}

type Conflict = AttemptState & { is: 'conflict' }

export function createVirtualService(workload: Workload) {
  const random = randomFrom(workload.seed ^ 0x5eed)
  const isBad = new Set(workload.mergeRequests.filter(({ bad }) => bad).map(({ iid }) => iid))
  const arrivedAt = new Map(workload.mergeRequests.map(({ iid, arrives }) => [iid, arrives]))
  const landedAt = new Map<number, number>()
  const branches = new Map<number, Branch | Conflict>()
  const pushes = [...workload.pushes]
  const commits = new Map<string, Tree>()
  const treeOn = new Map<string, string>()
  let numbers = 0
  let spent = 0
  let target = commitOf({ id: 'tree-0', members: [], bad: false })
  let outcome: Observed['landing']
  /** When the pipeline of the target's head ends. */
  let targetTested = 0

  function commitOf(tree: Tree): { commit: string; tree: Tree } {
    const commit = `commit-${numbers++}`
    commits.set(commit, tree)
    return { commit, tree }
  }

  /** The first member that conflicts with what came after its branch began. */
  function conflictOn(tree: Tree, { iid }: EntryRef): 'queue' | 'target' | undefined {
    if (tree.members.some((other) => !landedAt.has(other) && workload.conflict(iid, other))) return 'queue'
    const since = arrivedAt.get(iid) ?? 0
    for (const [other, at] of landedAt) if (at > since && workload.conflict(iid, other)) return 'target'
    return undefined
  }

  /** The push of a branch starts a pipeline. */
  function push(attempt: number, tree: Tree, onto: string, now: number): void {
    const green = !tree.bad && random() >= workload.flaky
    const waits = { begins: Number.POSITIVE_INFINITY, ends: Number.POSITIVE_INFINITY }
    branches.set(attempt, { ...commitOf(tree), onto, takes: workload.duration(random), ...waits, green })
    startPipelines(now)
  }

  const made = () => [...branches.values()].filter((each): each is Branch => !('is' in each))

  /** The oldest first, as far as there are runners. */
  function startPipelines(now: number): void {
    const all = made()
    let free = workload.runners - all.filter(({ begins, ends }) => begins <= now && ends > now).length
    for (const branch of all.filter(({ begins }) => begins > now)) {
      if (free-- <= 0) return
      branch.begins = now
      branch.ends = now + branch.takes
    }
  }

  /** What people pushed, and what began, until now. */
  function advance(now: number): void {
    for (let [next] = pushes; next !== undefined && next.at <= now; [next] = pushes) {
      pushes.shift()
      const { tree } = target
      const bad = next.turns === undefined ? tree.bad : next.turns === 'red'
      target = commitOf({ ...tree, id: `pushed-${numbers}`, bad })
      targetTested = next.at + workload.duration(random)
    }
    startPipelines(now)
  }

  /** Equal contents have equal names. */
  function withMember(tree: Tree, { iid }: EntryRef): Tree {
    const key = `${tree.id}+${iid}`
    const id = treeOn.get(key) ?? `tree-${treeOn.size + 1}`
    treeOn.set(key, id)
    return { id, members: [...tree.members, iid], bad: tree.bad || isRedOn(tree, iid) }
  }

  /** By itself, or with what came since it was opened. */
  function isRedOn({ members }: Tree, iid: number): boolean {
    const since = arrivedAt.get(iid) ?? 0
    const isNew = (other: number) => (landedAt.get(other) ?? since + 1) > since
    return isBad.has(iid) || members.some((other) => workload.redTogether(iid, other) && isNew(other))
  }

  function stateOf(branch: Branch | Conflict, now: number): AttemptState {
    if ('is' in branch) return branch
    const { commit, tree, ends, green } = branch
    return { is: 'made', commit, tree: tree.id, pipeline: ends > now ? 'running' : green ? 'success' : 'failed' }
  }

  return {
    observe(now: number): Pick<Observed, 'target' | 'attempts' | 'landing' | 'isTargetGreen'> {
      advance(now)
      return {
        isTargetGreen: now >= targetTested && !target.tree.bad,
        target: { commit: target.commit, tree: target.tree.id },
        attempts: new Map([...branches].map(([number, branch]) => [number, stateOf(branch, now)])),
        landing: outcome,
      }
    },
    /** Whether it is red on the target, though that is not its own fault alone. */
    isRed: (iid: number) => isRedOn(target.tree, iid),
    build({ attempt, onto, members }: MergeQueueStep & { do: 'build' }, now: number): void {
      let tree = commits.get(onto)
      if (tree === undefined) throw new Error(`built on ${onto}, which does not exist`)
      const base = tree.id
      for (const member of members) {
        const conflict = conflictOn(tree, member)
        if (conflict !== undefined) {
          branches.set(attempt, { is: 'conflict', member, with: conflict })
          return
        }
        tree = withMember(tree, member)
      }
      push(attempt, tree, base, now)
    },
    cancel(attempt: number, now: number): void {
      const branch = branches.get(attempt)
      if (branch !== undefined && !('is' in branch) && branch.ends > now)
        branches.set(attempt, { ...branch, begins: Math.min(now, branch.begins), ends: now, green: false })
    },
    discard(attempt: number, now: number): void {
      const branch = branches.get(attempt)
      if (branch !== undefined && !('is' in branch)) spent += Math.max(0, Math.min(now, branch.ends) - branch.begins)
      branches.delete(attempt)
      startPipelines(now)
    },
    /**
     * False if somebody pushed just before. The invariant: throws if the target would become a tree that is not green,
     * or that was built on another one.
     */
    land({ from, members, commit, tree }: Landing, how: MergeQueueSettings['land'], now: number): boolean {
      advance(now)
      if (from.commit !== target.commit) {
        outcome = { is: 'unsent' }
        return false
      }
      const tested = made().find(
        (branch) => branch.tree.id === tree && branch.onto === target.tree.id && branch.green && branch.ends <= now,
      )
      if (tested === undefined) throw new Error(`landed ${tree}, which is not green on ${target.tree.id}`)
      const onto = target.commit
      // The service's own merge makes a commit of its own.
      target = how === 'push' ? { commit, tree: tested.tree } : commitOf(tested.tree)
      for (const { iid } of members) landedAt.set(iid, now)
      outcome = { is: 'landed', tree: tested.tree.id, onto }
      targetTested = now
      return true
    },
    /** The next end of a pipeline, or the next push, after `now`; undefined if there is none. */
    nextEvent(now: number): number | undefined {
      const times = [...made().map(({ ends }) => ends), targetTested, ...pushes.slice(0, 1).map(({ at }) => at)]
      const next = Math.min(...times.filter((at) => at > now))
      return Number.isFinite(next) ? next : undefined
    },
    /** The sum over all pipelines. */
    pipelineMs: () => spent,
  }
}
