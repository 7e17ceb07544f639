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
  begins: number
  ends: number
  /** What its pipeline says at its end. */
  green: boolean
}

export function createVirtualService(workload: Workload) {
  const random = randomFrom(workload.seed ^ 0x5eed)
  const isBad = new Set(workload.mergeRequests.filter(({ bad }) => bad).map(({ iid }) => iid))
  const arrivedAt = new Map(workload.mergeRequests.map(({ iid, arrives }) => [iid, arrives]))
  const landedAt = new Map<number, number>()
  const branches = new Map<number, Branch | (AttemptState & { is: 'conflict' })>()
  const commits = new Map<string, Tree>()
  const treeOn = new Map<string, string>()
  let numbers = 0
  let spent = 0
  let target = commitOf({ id: 'tree-0', members: [], bad: false })
  let outcome: Observed['landing']

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
    branches.set(attempt, { ...commitOf(tree), onto, begins: now, ends: now + workload.duration(random), green })
  }

  /** Equal contents have equal names. */
  function withMember(tree: Tree, { iid }: EntryRef): Tree {
    const key = `${tree.id}+${iid}`
    const id = treeOn.get(key) ?? `tree-${treeOn.size + 1}`
    treeOn.set(key, id)
    return { id, members: [...tree.members, iid], bad: tree.bad || isBad.has(iid) }
  }

  function stateOf(branch: Branch | (AttemptState & { is: 'conflict' }), now: number): AttemptState {
    if ('is' in branch) return branch
    const { commit, tree, ends, green } = branch
    return { is: 'made', commit, tree: tree.id, pipeline: ends > now ? 'running' : green ? 'success' : 'failed' }
  }

  return {
    observe: (now: number): Pick<Observed, 'target' | 'attempts' | 'landing' | 'isTargetGreen'> => ({
      isTargetGreen: true,
      target: { commit: target.commit, tree: target.tree.id },
      attempts: new Map([...branches].map(([number, branch]) => [number, stateOf(branch, now)])),
      landing: outcome,
    }),
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
        branches.set(attempt, { ...branch, ends: now, green: false })
    },
    discard(attempt: number, now: number): void {
      const branch = branches.get(attempt)
      if (branch !== undefined && !('is' in branch)) spent += Math.min(now, branch.ends) - branch.begins
      branches.delete(attempt)
    },
    /** The invariant: throws if the target would become a tree that is not green, or that was built on another one. */
    land({ from, members, commit, tree }: Landing, how: MergeQueueSettings['land'], now: number): void {
      const tested = [...branches.values()].find(
        (branch): branch is Branch =>
          !('is' in branch) &&
          branch.tree.id === tree &&
          branch.onto === target.tree.id &&
          branch.green &&
          branch.ends <= now,
      )
      if (tested === undefined) throw new Error(`landed ${tree}, which is not green on ${target.tree.id}`)
      if (from.commit !== target.commit) throw new Error(`landed from ${from.commit}, the target is ${target.commit}`)
      const onto = target.commit
      // The service's own merge makes a commit of its own.
      target = how === 'push' ? { commit, tree: tested.tree } : commitOf(tested.tree)
      for (const { iid } of members) landedAt.set(iid, now)
      outcome = { is: 'landed', tree: tested.tree.id, onto }
    },
    /** The next end of a pipeline after `now`; undefined if none runs. */
    nextEnd(now: number): number | undefined {
      const all = [...branches.values()]
      const ends = all.flatMap((branch) => ('is' in branch || branch.ends <= now ? [] : [branch.ends]))
      return ends.length === 0 ? undefined : Math.min(...ends)
    },
    /** The sum over all pipelines. */
    pipelineMs: () => spent,
  }
}
