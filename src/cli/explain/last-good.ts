// The last versions without problems of a repository's rule files, which stay in force while the newest are broken.
import type { RulesResponse } from '../../admin/api/routes/rules.ts'
import { type FileText, fileAt } from '../../bot/rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../../bot/rule-files/rules-in-force.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { nameOf } from '../../rules/language/documents/document-head.ts'
import { readRules } from '../../rules/language/documents/rule-document.ts'
import type { Include } from '../../rules/types.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import type { RunningBotFlags } from '../admin/running-bot.ts'

/** The versions by the file's name in decisions. */
export type LastGood = ReadonlyMap<string, FileText>
export type FindLastGood = (client: Client, project: number) => Promise<LastGood>

const MOST_VERSIONS = 20

/** Reads them from the running bot, or from the history of `.bellhop.yml` and of what it includes. */
export function lastGoodOf({ bellhop, bellhopToken }: RunningBotFlags): FindLastGood {
  if (bellhop === undefined) return lastGoodInHistory
  const call = createAdminClient({ url: bellhop, token: bellhopToken })
  return async (_client, project) => {
    const { files } = await call<RulesResponse>('show_rules', { project })
    return new Map(
      files.flatMap(({ path, blob, text }) => (blob === null || text === undefined ? [] : [[path, { blob, text }]])),
    )
  }
}

async function lastGoodInHistory(client: Client, project: number): Promise<LastGood> {
  const own = await newestGood(client, project, repositoryRulePath, { included: false })
  if (own === undefined) return new Map()
  const found = new Map([[repositoryRulePath, own.file]])
  for (const include of own.includes) {
    const good = await includedInHistory(client, include)
    if (good !== undefined) found.set(nameOf(include), good)
  }
  return found
}

/** Undefined also for a pinned file: its history does not tell what the tag named before. */
async function includedInHistory(client: Client, { project, file, ref }: Include): Promise<FileText | undefined> {
  if (ref !== undefined) return undefined
  try {
    const { id } = (await client.projects.get({ id: project })).body
    return id === undefined ? undefined : (await newestGood(client, id, file, { included: true }))?.file
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

async function newestGood(
  client: Client,
  project: number,
  path: string,
  { included }: { included: boolean },
): Promise<{ file: FileText; includes: Include[] } | undefined> {
  const { body: commits } = await client.repository.commits.list({ id: project, path, per_page: MOST_VERSIONS })
  for (const { id } of commits) {
    const file = id === undefined ? null : await fileAt(client, project, path, id)
    const read = file === null ? undefined : readRules(file.text, path, { trust: 'repository', included })
    if (file !== null && read?.ok === true) return { file, includes: read.rules.include ?? [] }
  }
  return undefined
}
