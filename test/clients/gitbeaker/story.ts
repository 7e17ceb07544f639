// What a story of another program's client is: the calls, made by @gitbeaker/rest.
import { Gitlab } from '@gitbeaker/rest'
import { openWorld, type World } from '../../sandbox/sandbox-world.ts'

export type Client = InstanceType<typeof Gitlab>

export interface StoryWorld {
  /** As root, the administrator. */
  client: Client
  /** As somebody else. */
  as(token: string): Client
  world: World
}

export interface Story {
  name: string
  tell(world: StoryWorld): Promise<void>
}

/** A fresh sandbox and clients of it; adds the name of each endpoint that they call. */
export async function openStory(driven: Set<string>): Promise<StoryWorld> {
  let watching = false
  const world = await openWorld({
    gate: async ({ endpoint }) => {
      if (watching) driven.add(endpoint)
    },
  })
  // What the world itself prepares is no call of the other client: it uses fetch of its own.
  const quiet = <A extends unknown[], R>(prepare: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      watching = false
      return prepare(...args).finally(() => {
        watching = true
      })
    }
  }
  watching = true
  const as = (token: string): Client => new Gitlab({ host: world.sandbox.url, token })
  const prepared = { ...world, user: quiet(world.user), call: quiet(world.call), done: quiet(world.done) }
  return { client: as('root-token'), as, world: prepared }
}

/** A commit titled `Add <path>` that writes one new file. */
export const addFile = (client: Client, project: number, branch: string, filePath: string) =>
  client.Commits.create(project, branch, `Add ${filePath}`, [{ action: 'create', filePath, content: filePath }])

/** The sandbox's own refusal, as this client shows it: status and description. */
export async function refusalOf(call: Promise<unknown>): Promise<[number | undefined, unknown]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const cause =
    error instanceof Error ? (error.cause as { description?: unknown; response?: Response } | undefined) : undefined
  return [cause?.response?.status, cause?.description]
}
