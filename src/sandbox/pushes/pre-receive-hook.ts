// The pre-receive hook asks the sandbox over a stream whether a push may pass.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { type Complaint, checkPush, type Quarantine, type RefMove, ruleOf } from './check-push.ts'
import { checkProtected } from './protected-branches.ts'

/**
 * Runs before any ref moves, with new objects in quarantine. Stream 3 is inherited through http-backend and receive-
 * pack, so there is neither an address nor a secret. Fails closed: without a response, the push is refused.
 */
const script = `#!/bin/sh
{
  printf '%s\\n' "$GIT_OBJECT_DIRECTORY" "$GIT_ALTERNATE_OBJECT_DIRECTORIES"
  env | grep -cx 'GIT_PUSH_OPTION_[0-9]*=ci\\.skip'
  while IFS= read -r line; do printf '%s\\n' "$line"; done
  echo end
} >&3 || exit 1
while IFS= read -r line <&3; do
  case $line in
    accept) exit 0 ;;
    refuse) exit 1 ;;
    *) printf '%s\\n' "$line" ;;
  esac
done
exit 1
`

/** The folder for core.hooksPath. */
export async function installHook(world: World): Promise<string> {
  const folder = join(world.folder, 'hooks')
  const file = join(folder, 'pre-receive')
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present !== script) {
    await mkdir(folder, { recursive: true })
    const whole = `${file}-${randomUUID()}`
    await writeFile(whole, script, { mode: 0o755 })
    await rename(whole, file)
  }
  return folder
}

/** What a push says of itself. */
export interface Push {
  refs: string[]
  /** `git push -o ci.skip`. */
  skipsCi: boolean
}

/**
 * Answers the hook of one push. Returns the refs that the push names, once the hook has asked: each of two pushes at
 * once is announced with its own user.
 */
export function answerHook(world: World, projectId: number, user: User, stream: Duplex): Push {
  const push: Push = { refs: [], skipsCi: false }
  let asked = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    asked += chunk
    if (!asked.endsWith('\nend\n')) return
    const [objects = '', alternates = '', skips = '0', ...lines] = asked.split('\n').slice(0, -2)
    const moves = lines.map(readMove)
    push.refs.push(...moves.map(({ ref }) => ref))
    push.skipsCi = skips !== '0'
    const quarantine = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates }
    void verdict(world, projectId, user, moves, quarantine).then((said) => stream.end(`${said.join('\n')}\n`))
  })
  // The push may have been cancelled.
  stream.on('error', () => undefined)
  return push
}

/** Lines for the pusher, then the verdict. */
async function verdict(world: World, projectId: number, user: User, moves: readonly RefMove[], quarantine: Quarantine) {
  try {
    const project = world.projects.get(projectId)
    if (project === undefined) return ['GitLab: The project is gone', 'refuse']
    const complaints: Complaint[] = [
      ...(await checkProtected(world, project, user, moves, quarantine)),
      ...(await checkPush(world, project, ruleOf(world, project), moves, quarantine)),
    ]
    if (complaints.length === 0) return ['accept']
    const texts = complaints.map(
      ({ text, commit }) => `GitLab: ${text}${commit === undefined ? '' : ` (commit ${commit.slice(0, 8)})`}`,
    )
    return [...texts, 'refuse']
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [`GitLab: The push rules could not be checked: ${reason.replaceAll('\n', ' ')}`, 'refuse']
  }
}

/** `old new ref` */
function readMove(line: string): RefMove {
  const [before = '', after = '', ...ref] = line.split(' ')
  return { before, after, ref: ref.join(' ') }
}
