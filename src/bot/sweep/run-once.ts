// One sweep for a bot that gets no hooks (`bellhop run`): the rules as they are now, the events since the last such
// sweep, and all that is open and may have changed.
import type { SweptProject } from '../../journal/types.ts'
import { isShownByUpdatedAt, isUntouchedByList } from '../../rules/engine/triggers.ts'
import type { Context } from '../context.ts'
import { createCallBudget } from '../service/call-budget.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { enqueueDue } from './enqueue-unfinished.ts'
import {
  type EventReading,
  hasSamePipelines,
  knowHead,
  listPipelines,
  mayHaveEvents,
  readEvents,
  readPipelines,
} from './new-events.ts'
import type { ProjectToSweep } from './sweep-mark.ts'
import { type SweepMode, sweepProject } from './sweep-project.ts'
import { projectsNamed, projectsToSweep } from './sweep-projects.ts'

/** Its run is bounded by time instead. */
const mostCalls = 10_000_000
/** Notes of a busy service may become visible late. */
const overlapMs = 60_000

const runMark = 'run'

/** Milliseconds since 1970, by the service's clock. Nothing before `notBefore` is an event: a lost journal knew of it. */
interface RunMark {
  since: number
  notBefore: number
  knownUntil: number
}

/** With what is wrong with its rule file. */
export type RunProject = SweptProject & { problems: string[] }

export interface RunSweep {
  projects: RunProject[]
  /** A group is too large to find all of its projects. */
  notAllFound: boolean
  /** Stores how far events were read. To be called once what was enqueued is done. */
  finish(): Promise<void>
}

export interface RunRequest {
  /** A project or group; undefined: all that the bot user is a member of. */
  of: string | undefined
  /** Enqueues nothing; the events become pending. */
  dryRun: boolean
  onProject?: (project: RunProject) => void
}

/** Throws NothingToSweep, and what client, journal and queue throw. */
export async function sweepOnce(context: Context, { of, dryRun, onProject }: RunRequest): Promise<RunSweep> {
  const { client, journal, now } = context
  const began = now()
  const serviceBegan = (await client.users.current({})).date ?? began
  const serviceNow = () => serviceBegan + now() - began
  const budget = createCallBudget(mostCalls)
  const { projects: found, complete } =
    of === undefined ? await allProjects() : await projectsNamed(context, of, budget)
  if (!dryRun) await enqueueDue(context)
  const marks = new Map<number, RunMark>()
  const projects: RunProject[] = []
  for (const each of found) {
    const swept = await sweep(each)
    projects.push(swept)
    onProject?.(swept)
  }

  async function allProjects() {
    const { delivering, memberOnly } = await projectsToSweep(context, began, budget)
    return { projects: [...delivering, ...memberOnly], complete: true }
  }

  async function sweep(given: ProjectToSweep): Promise<RunProject> {
    const { project, path } = given
    const before = await journal.marks.read<RunMark>(project, runMark)
    const reading = serviceNow()
    try {
      const rules = await context.rules.refresh(project)
      const ofEvents: EventReading = {
        project,
        path: rules.projectPath,
        rules,
        since: before?.since,
        knownUntil: before?.knownUntil ?? 0,
        now: reading,
        dryRun,
        heads: new Map(),
        pipelines: { items: [], complete: false },
        isBehind: before === undefined,
      }
      await listPipelines(context, ofEvents)
      const mode: SweepMode = {
        every: false,
        dryRun,
        readEvents: (entry) => readEvents(context, ofEvents, entry),
        isUnchanged(entry, last) {
          if (last !== undefined) return isShownByUpdatedAt(last, { seesPipelines: hasSamePipelines(ofEvents, entry) })
          knowHead(ofEvents, entry)
          // A dry run tells the verdict on each.
          if (dryRun) return false
          const target = { ref: { project, iid: entry.iid ?? 0 }, keeps: false }
          return (
            !mayHaveEvents(ofEvents, entry) && isUntouchedByList(rules, new Date(now()).toISOString(), target, entry)
          )
        },
      }
      const swept = await sweepProject(context, given, mode, budget)
      await readPipelines(context, ofEvents)
      const notBefore = ofEvents.isBehind ? reading : (before?.notBefore ?? 0)
      const since = Math.max(reading - overlapMs, notBefore)
      if (swept.failed === undefined) marks.set(project, { since, notBefore, knownUntil: 0 })
      return { ...swept, path: rules.projectPath, problems: rules.problems }
    } catch (error) {
      if (!isPermanentRefusal(error)) throw error
      return { project, path, looked: 0, enqueued: [], left: false, failed: error.message, problems: [] }
    }
  }

  return {
    projects,
    notAllFound: !complete,
    async finish() {
      // The service says whole seconds.
      const knownUntil = serviceNow() + 999
      for (const [project, mark] of marks) await journal.marks.write(project, runMark, { ...mark, knownUntil })
    },
  }
}
