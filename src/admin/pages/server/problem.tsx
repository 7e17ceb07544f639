// The error page.

export function Problem({ title, message }: { title: string; message: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p class="problem" role="alert">
        {message}
      </p>
      <p>
        <a href="/admin">Go to the overview</a>
      </p>
    </>
  )
}
