// `bellhop check --online`: what the service does not know of a file's names, among the file's warnings.
import { mentionsIn } from '../../rules/analyse/mentions.ts'
import { placed } from '../../rules/analyse/warnings.ts'
import { connect, orUserError, projectId } from '../explain/connect.ts'
import type { ConnectionFlags } from '../services/service-options.ts'
import { UserError } from '../user-error.ts'
import type { CheckedFile } from './checked-file.ts'
import { unknownNames } from './known-names.ts'

interface OnlineFlags extends ConnectionFlags {
  project?: string
}

/** Adds what the service does not know to the files' warnings. Throws UserError without a project, and where the service cannot be asked. */
export async function askService(files: readonly CheckedFile[], flags: OnlineFlags): Promise<CheckedFile[]> {
  const { project: named } = flags
  if (named === undefined) throw new UserError('--online needs --project: the labels and milestones of which project?', { exitCode: 2 })
  const { client } = connect(flags)
  return orUserError(async () => {
    const project = await projectId(client, named)
    const asked: CheckedFile[] = []
    for (const each of files) {
      const findings = each.rules === undefined ? [] : await unknownNames(mentionsIn(each.text, each.rules), { client, project })
      asked.push({ ...each, warnings: [...each.warnings, ...placed(each.text, each.file, findings)] })
    }
    return asked
  })
}
