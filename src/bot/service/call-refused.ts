// A call that Bellhop itself refuses to make, such as one post too many: nothing was sent.

export class CallRefused extends Error {
  override readonly name = 'CallRefused'
}
