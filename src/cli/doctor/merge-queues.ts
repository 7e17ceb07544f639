// Checks what the merge queues of the named projects need: merge method, the bot's rights, pipelines of branches.
import pLimit from 'p-limit'
import { unfitness } from '../../bot/merge-queue/project.ts'
import { ifNotFound } from '../../bot/service/retry-policy.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import { pauseText } from '../../merge-queue/words.ts'
import { globMatcher } from '../../rules/language/patterns/patterns.ts'
import { allQueues, queueFor } from '../../rules/language/target-queue.ts'
import type { Mode, RuleFileInForce } from '../../rules/types.ts'
import { operatorRules, readRulesOf } from '../explain/rules-for.ts'
import type { TargetProject } from '../hooks/targets.ts'
import { type Finding, findingsOf } from './finding.ts'
import { levelOn } from './projects.ts'

const { ok, warn, fail } = findingsOf('merge queue')

const atOnce = 8
const developer = 30
const most = 100

type Project = Awaited<ReturnType<Client['projects']['get']>>['body']
type Queue = NonNullable<ReturnType<typeof queueFor>>['queue']

/** Findings for projects whose rule files have queues, none for others. Throws UserError for the operator's files. */
export async function examineMergeQueues(
  client: Client,
  projects: readonly TargetProject[],
  { me, ...where }: { folder: string; mode: Mode; me: number },
): Promise<Finding[]> {
  const rulesOf = readRulesOf(client, { ...where, ...(await operatorRules(where.folder)) })
  const examineOne = async ({ id, path }: TargetProject): Promise<Finding[]> => {
    try {
      const { files } = await rulesOf(id)
      if (allQueues(files).length === 0) return []
      return await examineProject({ client, id, path, me, files, project: (await client.projects.get({ id })).body })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const remedy = 'Let the bot’s user read the project: as Maintainer also its protected branches.'
      return [warn(`${path}: what merge queues need cannot be read: ${error.message}.`, remedy)]
    }
  }
  return (await pLimit(atOnce).map(projects, examineOne)).flat()
}

interface Examined extends TargetProject {
  client: Client
  me: number
  files: readonly RuleFileInForce[]
  project: Project
}

async function examineProject(examined: Examined): Promise<Finding[]> {
  const branches = await examinedBranches(examined)
  const queues = allQueues(examined.files)
  return (await Promise.all(queues.map((queue) => examineQueue(examined, queue, branches.get(queue))))).flat()
}

async function examineQueue(examined: Examined, queue: Queue, branch: string | undefined): Promise<Finding[]> {
  const { target } = queue
  const into = `${examined.path}: the merge queue ${queue.name} into`
  if (branch === undefined) {
    const unfound = isGlob(target)
      ? `of the project’s first ${most} branches, it is the queue of none`
      : `the project has no branch ${target}, or another queue has it`
    return [warn(`${into} ${target} was not examined: ${unfound}.`, changeTarget)]
  }
  const said = `${into} ${branch}${branch === target ? '' : ` (one of ${target})`}`
  const unfit = unfitness(examined.project, queue)
  const needsBranchPipelines = queue.test !== 'rebase' && queue.pipelines !== 'merge_request'
  const found = [
    ...(unfit === undefined ? [] : [fail(`${said} lands nothing: ${pauseText[unfit]}.`, changeProject)]),
    ...(await examineRights(examined, { name: said, target: branch, queue })),
    ...(needsBranchPipelines ? await examinePipelines(examined, said) : []),
    ...(queue.test === 'rebase' ? [] : await examineSigning(examined, said)),
  ]
  return found.length > 0 ? found : [ok(`${said} can build and land.`)]
}

const changeTarget = 'Create the branch, or change the target of the queue.'
const ofMergeRequests = 'Set `pipelines: merge_request` for the queue (docs/merge-queue-projects.md).'
const changeProject = 'Change it in the project’s settings (docs/merge-queue.md), or remove the queue.'

/** One branch per queue: the default branch, the target itself, or the first that fits of the first 100 by name. */
async function examinedBranches({ client, id, files, project }: Examined): Promise<Map<Queue, string>> {
  const targets = allQueues(files).map(({ target }) => target)
  const main = [project.default_branch ?? []].flat()
  const [globs, literal] = [targets.filter(isGlob), targets.filter((target) => !isGlob(target))]
  const isThere = (branch: string) =>
    client.repository.branches.get({ id, branch }).then(() => [branch], ifNotFound<string[]>([]))
  const found = (await Promise.all(literal.map(isThere))).flat()
  const listed = globs.every((glob) => main.some(globMatcher(glob, 'path')))
    ? []
    : (await client.repository.branches.list({ id, per_page: most })).body.flatMap(({ name }) => name ?? [])
  const branches = new Map<Queue, string>()
  for (const branch of [...main, ...found, ...listed]) {
    const queue = queueFor(files, branch)?.queue
    if (queue !== undefined && !branches.has(queue)) branches.set(queue, branch)
  }
  return branches
}

const isGlob = (target: string) => /[*?[{]/.test(target)

async function examineRights(
  { client, id, me }: Examined,
  { name, target, queue }: { name: string; target: string; queue: Queue },
): Promise<Finding[]> {
  const level = await levelOn(client, id, me)
  const { items: protectedBranches } = await client
    .pages(client.projects.protectedBranches.list, { id, per_page: 100 }, { maxPages: 5 })
    .collect()
  const may = (branch: string, right: 'push' | 'merge') => {
    const rules = protectedBranches.filter((each) => each.name !== undefined && globMatcher(each.name, 'name')(branch))
    if (rules.length === 0) return level >= developer
    const needed = rules.flatMap((each) => [
      ...(each.push_access_levels ?? []),
      ...(right === 'merge' ? (each.merge_access_levels ?? []) : []),
    ])
    // Null names a user or a group, which may be the bot.
    return needed.some(
      ({ access_level: least }) => least === null || (least !== undefined && least > 0 && level >= least),
    )
  }
  const right = queue.land === 'push' ? 'push' : 'merge'
  const land = right === 'push' ? `push to ${target} (land: push)` : `merge into ${target}`
  const found: Finding[] = []
  if (queue.test !== 'rebase' && !may(`bellhop/queue/${queue.name}/1`, 'push'))
    found.push(
      fail(
        `${name} cannot build: the bot may not push branches bellhop/queue/*.`,
        'Make the bot’s user Developer, and let it push where a protected branch’s pattern fits them.',
      ),
    )
  if (!may(target, right))
    found.push(fail(`${name} cannot land: the bot may not ${land}.`, `Allow the bot’s user to ${land}.`))
  return found
}

/** Whether the push rule, which free tiers do not have, takes only signed commits. */
async function examineSigning({ client, id }: Examined, name: string): Promise<Finding[]> {
  const rule = await client.projects.pushRule.get({ id }).catch(ifNotFound(undefined))
  return rule?.body.reject_unsigned_commits === true
    ? [fail(`${name} cannot build: ${pauseText.signed_commits}.`, 'Turn that push rule off, or remove the queue.')]
    : []
}

/** Whether branches other than the default branch, and not only merge requests, are among the newest pipelines. */
async function examinePipelines({ client, id, project }: Examined, name: string): Promise<Finding[]> {
  const main = project.default_branch
  const { body: pipelines } = await client.repository.pipelines.list({ id, per_page: most })
  if (pipelines.some(({ ref }) => ref !== undefined && isQueueBranch(ref))) return []
  const remedy =
    'Let the CI configuration run for bellhop/queue/*, as by `workflow: rules` with `if: $CI_COMMIT_BRANCH =~ /^bellhop\\/queue\\//`.'
  if (pipelines.length === 0)
    return [warn(`${name} may pause: the project has no pipelines, and a build needs one.`, remedy)]
  const isOfBranch = ({ ref = '', source }: (typeof pipelines)[number]) =>
    ref !== main && !ref.startsWith('refs/') && source !== 'merge_request_event' && source !== 'parent_pipeline'
  if (pipelines.some(isOfBranch)) return []
  const isOfMergeRequest = pipelines.some(({ source }) => source === 'merge_request_event')
  return isOfMergeRequest
    ? [fail(`${name} will pause: only merge requests get pipelines, and branches do not.`, ofMergeRequests)]
    : [warn(`${name} may pause: only ${main} got pipelines among the newest ${most}.`, remedy)]
}
