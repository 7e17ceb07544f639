// A group (api-v4.md §2.1).
import { z } from 'zod'
import { id, visibility } from './scalars.ts'

export const group = z.object({
  id,
  name: z.string(),
  path: z.string(),
  description: z.string(),
  visibility,
  lfs_enabled: z.boolean(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
  request_access_enabled: z.boolean(),
  full_name: z.string(),
  full_path: z.string(),
  parent_id: id.nullable(),
})
