// Prints, as JSON, what Go's mime finds in the header of each name.
package main

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"os"
	"strconv"
)

func main() {
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	names := make([]*string, count)
	for at := range names {
		response, err := http.Get(fmt.Sprintf("http://%s/names/%d/url-name", os.Args[1], at))
		if err != nil {
			panic(err)
		}
		response.Body.Close()
		_, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
		if err != nil {
			panic(err)
		}
		if name, there := parameters["filename"]; there {
			names[at] = &name
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(names); err != nil {
		panic(err)
	}
}
