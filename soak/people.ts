// People at work: performs a step of the schedule on the service. Refusals are fine: the bot may have merged meanwhile.
import type { Client } from '../src/client/create-client.ts'
import { ServiceError } from '../src/client/errors.ts'
import type { ActionEntry } from './record.ts'
import type { Recorder } from './recorder.ts'
import type { Action, MergeRequestAction, Person } from './schedule.ts'
import type { Service } from './service.ts'

interface Slot {
  project: number
  iid: number
  id: number
  branch: string
  heads: string[]
}

type Did = Pick<ActionEntry, 'note' | 'sha' | 'mergeRequest'>

/** Gives what does one action and takes note of it. Throws when the service fails people, whom no fault is for. */
export function createPeople(
  { as, projects }: Pick<Service, 'as' | 'projects'>,
  { record, next }: Recorder,
): (action: Action) => Promise<void> {
  const slots = new Map<number, Slot>()
  let files = 0
  const projectOf = (number: number) => projects[number % projects.length] ?? 0

  async function commit(
    project: number,
    by: Person,
    branch: string,
    documents: boolean,
    start_branch?: string,
  ): Promise<string> {
    files += 1
    const file_path = documents ? `docs/${files}.md` : `src/${files}.ts`
    const answer = await as[by].repository.commits.create({
      id: project,
      branch,
      commit_message: `Add ${file_path}`,
      actions: [{ action: 'create', file_path, content: `${files}\n` }],
      ...(start_branch === undefined ? {} : { start_branch }),
    })
    return answer.body.id ?? ''
  }

  async function open(action: Extract<Action, { do: 'open' }>): Promise<Did> {
    const { slot, author, labels, draft } = action
    const project = projectOf(action.project)
    const branch = `work-${slot}`
    const sha = await commit(project, author, branch, action.documents, 'base')
    const { body } = await as[author].mergeRequests.create({
      id: project,
      source_branch: branch,
      target_branch: action.target,
      title: `${draft ? 'Draft: ' : ''}Work ${slot}`,
      labels: labels.join(','),
    })
    const { iid = 0, id = 0 } = body
    slots.set(slot, { project, iid, id, branch, heads: [sha] })
    return { mergeRequest: id, sha }
  }

  async function work(slot: Slot, action: Exclude<MergeRequestAction, { do: 'open' }>): Promise<Did> {
    const { project, branch, heads } = slot
    const its = { id: project, merge_request_iid: slot.iid }
    const bob = as.bob.mergeRequests
    switch (action.do) {
      case 'push': {
        const sha = await commit(project, action.by, branch, action.documents)
        heads.push(sha)
        return { sha }
      }
      case 'pipeline': {
        const sha = heads.at(action.head === 'newest' ? -1 : -2)
        if (sha === undefined) return {}
        await as.renovate.repository.statuses.create({ id: project, sha, ref: branch, state: action.state, name: 'ci' })
        return { sha }
      }
      case 'label':
        await bob.update({
          ...its,
          ...(action.add === undefined ? {} : { add_labels: action.add }),
          ...(action.remove === undefined ? {} : { remove_labels: action.remove }),
        })
        return {}
      case 'draft':
        await bob.update({ ...its, title: `${action.draft ? 'Draft: ' : ''}Work ${action.slot}` })
        return {}
      case 'comment':
      case 'command': {
        const body = action.do === 'comment' ? 'Looks fine to me.' : `@bellhop ${action.word}`
        return noted(as[action.by], its, body)
      }
      case 'approve':
      case 'unapprove':
        await as[action.by].mergeRequests[action.do](its)
        return {}
      case 'close':
      case 'reopen':
        await bob.update({ ...its, state_event: action.do })
        return {}
      case 'merge':
      case 'merge later':
        await bob.accept({ ...its, merge_when_pipeline_succeeds: action.do === 'merge later' })
        return {}
      case 'retarget':
        await bob.update({ ...its, target_branch: action.to })
        return {}
      case 'estimate':
        if (action.duration === null) await bob.resetTimeEstimate(its)
        else await bob.timeEstimate({ ...its, duration: action.duration })
        return {}
      default:
        return action satisfies never
    }
  }

  async function noted(client: Client, its: { id: number; merge_request_iid: number }, body: string): Promise<Did> {
    const answer = (await client.mergeRequests.notes.create({ ...its, body })).body
    return 'id' in answer && typeof answer.id === 'number' ? { note: answer.id } : {}
  }

  async function act(action: Action, place: number): Promise<Did> {
    if (action.do === 'open') return open(action)
    if (action.do === 'push to master') return { sha: await commit(projectOf(action.project), 'bob', 'master', false) }
    if (action.do === 'tag') {
      await as.bob.repository.tags.create({ id: projectOf(action.project), tag_name: `v${place}`, ref: 'master' })
      return {}
    }
    const slot = slots.get(action.slot)
    if (slot === undefined) throw new Error(`merge request ${action.slot} of the schedule was never opened`)
    return { mergeRequest: slot.id, ...(await work(slot, action)) }
  }

  return async (action) => {
    const at = next()
    const slot = 'slot' in action ? slots.get(action.slot) : undefined
    const entry: ActionEntry = {
      at,
      action,
      ended: at,
      refused: true,
      ...(slot === undefined ? {} : { mergeRequest: slot.id }),
    }
    record.actions.push(entry)
    try {
      Object.assign(entry, await act(action, at), { refused: false })
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'refused') throw error
    }
    entry.ended = next()
  }
}
