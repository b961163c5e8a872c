// A page that has its result.

begin(result);
